/**
 * Holds the code to the map of who may import whom. A rule names files by the start of their path; what a rule allows
 * to few is forbidden to all others.
 */
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { globSync } from 'node:fs';

interface Rule {
  readonly says: string;
  /** The files that the rule is about. */
  readonly files: (file: string) => boolean;
  /** What they must not import: a package's name or a path from the root of the repository. */
  readonly forbids: (imported: string) => boolean;
}

const areas = ['tasks', 'viz', 'agents'];
const source = 'server/src/';
const within =
  (...folders: string[]) =>
  (path: string): boolean =>
    folders.some((folder) => path.startsWith(source + folder));
const packages =
  (...names: string[]) =>
  (imported: string): boolean =>
    names.some((name) => imported === name || imported.startsWith(`${name}/`));

const rules: readonly Rule[] = [
  ...areas.map((area) => ({
    says: `${area}/ imports no other area, nothing of http/, and neither app, server nor cli`,
    files: within(`${area}/`),
    forbids: within(
      ...areas.filter((other) => other !== area).map((other) => `${other}/`),
      'http/',
      'app.',
      'server.',
      'cli.',
    ),
  })),
  {
    says: 'only http/ and app import Koa, and only http/ imports openapi-backend',
    files: (file) => file.startsWith(source) && !within('http/', 'app.ts')(file),
    forbids: packages('koa', 'koa-bodyparser', '@koa/cors', 'openapi-backend'),
  },
  {
    says: 'only db/ and the stores of the areas import Kysely',
    files: (file) => file.startsWith(source) && !within('db/', ...areas.map((area) => `${area}/`))(file),
    forbids: packages('kysely', 'pg', '@electric-sql/pglite'),
  },
  {
    says: 'only viz/paint/ imports canvas or jsPDF',
    files: (file) => file.startsWith(source) && !within('viz/paint/')(file),
    forbids: packages('canvas', 'jspdf'),
  },
  {
    says: 'only agents/runtimes/ imports a model SDK',
    files: (file) => file.startsWith(source) && !within('agents/runtimes/')(file),
    forbids: packages('ai', '@ai-sdk/openai-compatible'),
  },
  {
    says: 'the SDK imports only its generated contract and openapi-fetch',
    files: (file) => file.startsWith('sdk/src/'),
    forbids: (imported) => !imported.startsWith('sdk/src/') && imported !== 'openapi-fetch',
  },
  {
    says: 'pure files import no driver, clock, random source or file system',
    files: within(
      'operations.ts',
      'errors.ts',
      'paging.ts',
      'tasks/task.ts',
      'tasks/tags.ts',
      'tasks/moment.ts',
      'tasks/etag.ts',
      'viz/chart.ts',
      'viz/scene.ts',
      'viz/layout/',
      'agents/run.ts',
    ),
    forbids: (imported) =>
      imported.startsWith('node:') || packages('kysely', 'pg', 'koa', 'uuid', 'canvas', 'jspdf')(imported),
  },
];

const files = globSync(['server/src/**/*.ts', 'sdk/src/**/*.ts']).filter(
  (file) => !file.includes('/generated/'),
);
const complaints: string[] = [];
for (const file of files) {
  const text = await readFile(file, 'utf8');
  const imported = [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, name = '']) =>
    pathOf(file, name),
  );
  for (const rule of rules.filter((each) => each.files(file))) {
    complaints.push(
      ...imported.filter(rule.forbids).map((name) => `${file} imports ${name}, but ${rule.says}.`),
    );
  }
  if (text.includes('process.env') && file !== 'server/src/config.ts') {
    complaints.push(`${file} reads the environment, but only config.ts does.`);
  }
}
if (complaints.length > 0) {
  console.error(complaints.join('\n'));
  process.exitCode = 1;
}

function pathOf(file: string, name: string): string {
  return name.startsWith('.') ? relative('.', join(dirname(file), name)) : name;
}
