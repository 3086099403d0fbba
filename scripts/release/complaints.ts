interface Release {
  readonly version: string;
  /** The versions of the other parts by their files. */
  readonly versions: Readonly<Record<string, string>>;
  readonly changelog: string;
  /** The contract that is kept as that of this version is another one. */
  readonly isKeptOtherwise: boolean;
}

/** What stands in the way of a release, as far as its words are concerned. */
export function complaintsAbout({ version, versions, changelog, isKeptOtherwise }: Release): string[] {
  const others = Object.entries(versions).filter(([, other]) => other !== version);
  const [, entry = ''] = changelog.split(`\n## ${version}\n`);
  const text = (entry.split('\n## ')[0] ?? '').trim();
  return [
    ...others.map(([file, other]) => `${file} has version ${other}, but sdk/package.json has ${version}.`),
    ...(text === '' ? [`sdk/CHANGELOG.md says nothing under "## ${version}".`] : []),
    ...(isKeptOtherwise
      ? [
          `openapi/released/${version}.json is another contract. Raise the version, or, if ${version} was never ` +
            'published, add --again to replace it.',
        ]
      : []),
  ];
}
