import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';

const manifests = ['package.json', 'server/package.json', 'server/charts/package.json', 'sdk/package.json'];

it.each(manifests)('each script of %s that is one program of Node begins with exec', (file) => {
  const { scripts } = JSON.parse(readFileSync(file, 'utf8')) as { scripts: Record<string, string> };

  // Without `exec`, a signal to npm ends only the shell, and a server keeps its port.
  const withoutExec = Object.entries(scripts).filter(([, text]) => /^node [^&|;]*$/.test(text));

  expect(withoutExec).toEqual([]);
});

const { files } = JSON.parse(readFileSync(join('server', 'package.json'), 'utf8')) as { files: string[] };
// npm adds README.md to every package.
const packed = ['README.md', ...files];
const pages = packed.flatMap((path) => globSync([path, `${path}/**/*.md`], { cwd: 'server' }));

it.each(pages.filter((page) => page.endsWith('.md')))(
  'the package of the server has every file that its page %s links to',
  (page) => {
    const text = readFileSync(join('server', page), 'utf8');
    const links = [...text.matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)/g)].map(([, path = '']) =>
      normalize(join(dirname(page), path)),
    );

    const missing = links.filter((path) => !packed.some((each) => `${path}/`.startsWith(`${each}/`)));

    expect(missing, 'Add these to "files" of server/package.json, or do not link to them.').toEqual([]);
  },
);

interface Lock {
  readonly packages: Readonly<Record<string, { readonly optionalDependencies?: object }>>;
}

it.each([
  'package-lock.json',
  'tests/bench/peers/package-lock.json',
  'tests/interop/peers/package-lock.json',
])('%s has every optional dependency of its packages for all platforms, which npm ci requires', (file) => {
  const { packages } = JSON.parse(readFileSync(file, 'utf8')) as Lock;

  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) => {
    // A package is looked up in node_modules of its own folder and of all parents.
    const parts = path.split('/');
    const folders = ['', ...parts.map((_, i) => `${parts.slice(0, i + 1).join('/')}/`)];
    const isListed = (name: string) => folders.some((each) => `${each}node_modules/${name}` in packages);
    const unlisted = Object.keys(optionalDependencies).filter((name) => !isListed(name));
    return unlisted.map((name) => `${path} names ${name}`);
  });

  expect(missing).toEqual([]);
});

interface Workflow {
  readonly jobs: Readonly<Record<string, { readonly steps: readonly { readonly uses?: string }[] }>>;
}

const workflows = globSync('.github/workflows/*.yml');
const jobs = workflows.flatMap((file) => {
  const workflow = parse(readFileSync(file, 'utf8')) as Workflow;
  return Object.entries(workflow.jobs).map(([name, job]) => ({ name: `${file}: ${name}`, job }));
});

it.each(workflows)('%s pins each action to a commit, and names its version', (file) => {
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
  const texts = ['server/Containerfile', 'server/compose.yaml', ...workflows].map((file) =>
    readFileSync(file, 'utf8'),
  );
  const images = texts.flatMap((text) => text.match(/(?<=^FROM |image: )\S+:\S+/gm) ?? []);

  expect(images.length).toBeGreaterThan(2);
  expect(images.filter((image) => !/:[\d.]+[\w-]*@sha256:[\da-f]{64}$/.test(image))).toEqual([]);
});
