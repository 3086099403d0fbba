import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';

interface Workflow {
  readonly jobs: Readonly<Record<string, { readonly steps: readonly { readonly uses?: string }[] }>>;
}

const files = globSync('.github/workflows/*.yml');
const jobs = files.flatMap((file) => {
  const workflow = parse(readFileSync(file, 'utf8')) as Workflow;
  return Object.entries(workflow.jobs).map(([name, job]) => ({ name: `${file}: ${name}`, job }));
});

it.each(files)('%s pins each action to a commit, and names its version', (file) => {
  const uses = readFileSync(file, 'utf8').match(/uses: .*/g) ?? [];

  expect(uses.filter((each) => !/^uses: [\w/-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/.test(each))).toEqual([]);
});

it('a job with a secret has no code of the repository or of its packages', () => {
  const withSecrets = jobs.filter(({ job }) => JSON.stringify(job).includes('secrets.'));

  expect(withSecrets.map(({ name }) => name)).toEqual(['.github/workflows/release.yml: publish']);
  for (const { job } of withSecrets) {
    expect(job.steps.filter(({ uses }) => uses?.startsWith('actions/checkout@') === true)).toEqual([]);
    expect(JSON.stringify(job)).not.toMatch(/npm (?:ci|install|i|run)\b/);
  }
});

it('images that a container file or a workflow starts from are pinned by digest', () => {
  const texts = ['server/Containerfile', 'server/compose.yaml', ...files].map((file) =>
    readFileSync(file, 'utf8'),
  );
  const images = texts.flatMap((text) => text.match(/(?<=^FROM |image: )\S+:\S+/gm) ?? []);

  expect(images.length).toBeGreaterThan(2);
  expect(images.filter((image) => !/:[\d.]+[\w-]*@sha256:[\da-f]{64}$/.test(image))).toEqual([]);
});
