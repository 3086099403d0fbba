/** A source file; paths are relative to the root of the repository. */
interface Source {
  readonly file: string;
  readonly text: string;
  readonly imports: readonly string[];
}

interface Rule {
  readonly reason: string;
  readonly files: (file: string) => boolean;
  /** Imports that these files must not have. */
  readonly forbids?: (imported: string, file: string) => boolean;
  /** Text that these files must not contain. */
  readonly forbidsText?: RegExp;
}

/** Returns one message for each violation of a rule. */
export function violations({ file, text, imports }: Source): string[] {
  return rules
    .filter((rule) => rule.files(file))
    .flatMap(({ reason, forbids, forbidsText }) => {
      const imported = forbids === undefined ? [] : imports.filter((name) => forbids(name, file));
      const found = forbidsText?.exec(text)?.[0];
      return [
        ...imported.map((name) => `${file} imports ${name}, but ${reason}.`),
        ...(found === undefined ? [] : [`${file} contains "${found}", but ${reason}.`]),
      ];
    });
}

const src = 'server/src/';
const areas = ['tasks', 'viz', 'agents'];

/** Layers from the bottom up: a file must not import from a layer above its layer. */
const layers: readonly (readonly string[])[] = [
  [
    'generated/',
    'config/',
    'startup-error.ts',
    'operation.ts',
    'chart-kinds.ts',
    'errors.ts',
    'ids.ts',
    'json-depth.ts',
    'json-pointer.ts',
    'cursor.ts',
    'paging.ts',
    'storable-text.ts',
    'db/tables.ts',
    'db/write.ts',
  ],
  ['log.ts', 'metrics.ts', 'db/errors.ts', 'db/timestamps.ts'],
  ['db/', 'auth/'],
  ['contract/', 'limits/', 'event-bus.ts'],
  ['tools/'],
  ['tasks/', 'viz/', 'agents/'],
  ['operations.ts'],
  ['http/'],
  ['app.ts', 'gauges.ts'],
  ['http-server.ts', 'shutdown.ts'],
  ['server.ts'],
  ['welcome.ts', 'demo/'],
  ['cli.ts'],
];

const pureFiles = [
  'operation.ts',
  'errors.ts',
  'paging.ts',
  'storable-text.ts',
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
    reason: 'a layer imports nothing from the layers above it',
    files: within(''),
    forbids: (imported, file) => layerOf(imported) > layerOf(file),
  },
  ...areas.map((area) => ({
    reason: `${area}/ imports neither another area nor http/`,
    files: within(`${area}/`),
    forbids: within('http/', ...areas.filter((other) => other !== area).map((other) => `${other}/`)),
  })),
  {
    reason: 'only http/ and app import Koa',
    files: outside('http/', 'app.ts'),
    forbids: packages('koa', 'koa-bodyparser', '@koa/'),
  },
  {
    reason: 'only contract/ imports openapi-backend',
    files: outside('contract/'),
    forbids: packages('openapi-backend'),
  },
  {
    reason: 'only db/ and the areas import Kysely, and no handlers do',
    files: (file) =>
      outside('db/', ...areas.map((area) => `${area}/`))(file) || file.endsWith('/handlers.ts'),
    forbids: packages('kysely'),
  },
  { reason: 'only db/ imports a driver', files: outside('db/'), forbids: packages('pg', '@electric-sql/') },
  {
    reason: 'only viz/paint/ imports canvas or jsPDF',
    files: outside('viz/paint/'),
    forbids: packages('canvas', 'jspdf'),
  },
  {
    reason: 'only agents/runtimes/ imports a model SDK',
    files: outside('agents/runtimes/'),
    forbids: packages('ai', '@ai-sdk/', 'openai', '@anthropic-ai/'),
  },
  {
    reason: 'only http/mcp/ and agents/skills/mcp/ import the packages of MCP',
    files: outside('http/mcp/', 'agents/skills/mcp/'),
    forbids: packages('@modelcontextprotocol/'),
  },
  {
    reason: 'config/ imports nothing but startup-error.ts',
    files: within('config/'),
    forbids: (imported) => imported.startsWith(src) && !within('config/', 'startup-error.ts')(imported),
  },
  {
    reason: 'only config/ reads the environment',
    files: outside('config/'),
    forbids: (imported) => imported === 'node:process',
    forbidsText: /process(?:\.env|\[['"]env['"]\])/,
  },
  {
    reason: 'a pure file imports no driver and no Node API',
    files: within(...pureFiles),
    forbids: (imported) =>
      imported.startsWith('node:') ||
      (within('db/')(imported) && !within('db/tables.ts', 'db/write.ts')(imported)) ||
      packages('kysely', 'pg', 'koa', 'uuid', 'canvas', 'jspdf', 'pino')(imported),
  },
  {
    reason: 'a pure file receives time and randomness as arguments',
    files: within(...pureFiles),
    forbidsText: /Date\.now\(|new Date\(\)|Math\.random\(|performance\.now\(|crypto\.|\bfetch\(/,
  },
  {
    reason: 'the SDK imports only its generated contract and openapi-fetch',
    files: (file) => file.startsWith('sdk/src/'),
    forbids: (imported) => !imported.startsWith('sdk/src/') && imported !== 'openapi-fetch',
  },
];

/** The index of the layer with the longest matching path; -1 for packages, and for files that every layer may import. */
function layerOf(path: string): number {
  const matches = layers.flatMap((names, layer) =>
    names.filter((name) => within(name)(path)).map((name) => ({ layer, length: name.length })),
  );
  return matches.toSorted((one, two) => two.length - one.length)[0]?.layer ?? -1;
}
