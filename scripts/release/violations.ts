interface Release {
  readonly version: string;
  /** The versions of the other packages, by file. */
  readonly versions: Readonly<Record<string, string>>;
  readonly changelog: string;
  /** True if another contract is already stored for this version. */
  readonly isStoredContractDifferent: boolean;
}

/** Messages that say why the versions, the changelog or the stored contract prevent the release. */
export function violations({ version, versions, changelog, isStoredContractDifferent }: Release): string[] {
  const others = Object.entries(versions).filter(([, other]) => other !== version);
  const [, entry = ''] = changelog.split(`\n## ${version}\n`);
  const text = (entry.split('\n## ')[0] ?? '').trim();
  return [
    ...others.map(([file, other]) => `${file} has version ${other}, but sdk/package.json has ${version}.`),
    ...(text === '' ? [`sdk/CHANGELOG.md has no text under "## ${version}".`] : []),
    ...(isStoredContractDifferent
      ? [
          `openapi/released/${version}.json is a different contract. Raise the version, or, if ${version} was never ` +
            'published, delete this file.',
        ]
      : []),
  ];
}

/** The missing fields of a manifest that link npm to the project. Only the publisher knows their values. */
export function unfilled(manifest: object): string[] {
  return ['repository', 'homepage', 'bugs'].filter((field) => !(field in manifest));
}
