/** A source file as the rules see it; paths are from the root of the repository. */
export interface Source {
  readonly file: string;
  readonly text: string;
  readonly imports: readonly string[];
}

interface Rule {
  readonly says: string;
  readonly files: (file: string) => boolean;
  /** What those files must not import. */
  readonly forbids?: (imported: string, file: string) => boolean;
  /** What must not stand in them. */
  readonly forbidsText?: RegExp;
}

/** A sentence for each breach of a rule. */
export function complaintsAbout({ file, text, imports }: Source): string[] {
  return rules
    .filter((rule) => rule.files(file))
    .flatMap(({ says, forbids, forbidsText }) => {
      const imported = forbids === undefined ? [] : imports.filter((name) => forbids(name, file));
      const found = forbidsText?.exec(text)?.[0];
      return [
        ...imported.map((name) => `${file} imports ${name}, but ${says}.`),
        ...(found === undefined ? [] : [`${file} has "${found}", but ${says}.`]),
      ];
    });
}

const src = 'server/src/';
const areas = ['tasks', 'viz', 'agents'];

/** From what everything may use to what nothing may use: a file imports nothing that comes after its own line. */
const layers: readonly (readonly string[])[] = [
  [
    'generated/',
    'operation.ts',
    'errors.ts',
    'environment.ts',
    'renamed-variables.ts',
    'ids.ts',
    'paging.ts',
    'db/tables.ts',
  ],
  ['config.ts', 'agents/config.ts', 'log.ts', 'metrics.ts', 'db/errors.ts', 'db/timestamps.ts'],
  ['db/', 'auth/'],
  ['tasks/', 'viz/', 'agents/'],
  ['operations.ts'],
  ['http/'],
  ['app.ts', 'gauges.ts'],
  ['http-server.ts'],
  ['server.ts'],
  ['cli.ts'],
];

const pureFiles = [
  'operation.ts',
  'errors.ts',
  'paging.ts',
  'tasks/task.ts',
  'tasks/tags.ts',
  'tasks/iso-timestamp.ts',
  'tasks/etag.ts',
  'viz/chart.ts',
  'viz/color.ts',
  'viz/scene.ts',
  'viz/layout/',
  'agents/runs/next-step.ts',
];

const within =
  (...paths: string[]) =>
  (file: string): boolean =>
    paths.some((path) => file.startsWith(src + path));

const packages =
  (...names: string[]) =>
  (imported: string): boolean =>
    names.some((name) => imported === name || imported.startsWith(name.endsWith('/') ? name : `${name}/`));

const outside =
  (...paths: string[]) =>
  (file: string): boolean =>
    file.startsWith(src) && !within(...paths)(file);

const rules: readonly Rule[] = [
  {
    says: 'what is used by many imports nothing of what uses it',
    files: within(''),
    forbids: (imported, file) => layerOf(imported) > layerOf(file),
  },
  ...areas.map((area) => ({
    says: `${area}/ imports no other area`,
    files: within(`${area}/`),
    forbids: within(...areas.filter((other) => other !== area).map((other) => `${other}/`)),
  })),
  {
    says: 'only http/ and app import Koa',
    files: outside('http/', 'app.ts'),
    forbids: packages('koa', 'koa-bodyparser', '@koa/', 'helmet'),
  },
  {
    says: 'only http/ imports openapi-backend',
    files: outside('http/'),
    forbids: packages('openapi-backend'),
  },
  {
    says: 'only db/ and the areas import Kysely, and no handlers do',
    files: (file) =>
      outside('db/', ...areas.map((area) => `${area}/`))(file) || file.endsWith('/handlers.ts'),
    forbids: packages('kysely'),
  },
  { says: 'only db/ imports a driver', files: outside('db/'), forbids: packages('pg', '@electric-sql/') },
  {
    says: 'only viz/paint/ imports canvas or jsPDF',
    files: outside('viz/paint/'),
    forbids: packages('canvas', 'jspdf'),
  },
  {
    says: 'only agents/runtimes/ imports a model SDK',
    files: outside('agents/runtimes/'),
    forbids: packages('ai', '@ai-sdk/', 'openai', '@anthropic-ai/'),
  },
  {
    says: 'only config.ts reads the environment',
    files: outside('config.ts'),
    forbids: (imported) => imported === 'node:process',
    forbidsText: /process(?:\.env|\[['"]env['"]\])/,
  },
  {
    says: 'a pure file imports no driver and no part of the platform',
    files: within(...pureFiles),
    forbids: (imported) =>
      imported.startsWith('node:') ||
      within('db/database.ts', 'db/postgres.ts', 'db/pglite.ts', 'db/once.ts')(imported) ||
      packages('kysely', 'pg', 'koa', 'uuid', 'canvas', 'jspdf', 'pino')(imported),
  },
  {
    says: 'a pure file is given the time and chance it works with',
    files: within(...pureFiles),
    forbidsText: /Date\.now\(|new Date\(\)|Math\.random\(|performance\.now\(|crypto\.|\bfetch\(/,
  },
  {
    says: 'the SDK imports only its generated contract and openapi-fetch',
    files: (file) => file.startsWith('sdk/src/'),
    forbids: (imported) => !imported.startsWith('sdk/src/') && imported !== 'openapi-fetch',
  },
];

/** The line of `layers` that a file is on by its longest match; -1 for packages. */
function layerOf(path: string): number {
  const matches = layers.flatMap((names, layer) =>
    names.filter((name) => within(name)(path)).map((name) => ({ layer, length: name.length })),
  );
  return matches.toSorted((one, two) => two.length - one.length)[0]?.layer ?? -1;
}
