// The allowed imports, including imports of types. ESLint checks what files use without an import.

const server = '^server/src/';

// The layers, lowest first: a file imports nothing from a layer above its own. A longer path takes precedence.
const layers = [
  ['lib/', 'config/', 'contract/operation.ts', 'contract/problem.ts', 'db/tables.ts', 'db/write.ts'],
  ['ops/log.ts', 'ops/metrics.ts', 'db/errors.ts', 'db/timestamps.ts'],
  ['db/', 'auth/'],
  ['contract/', 'limits/', 'lib/event-bus.ts'],
  ['tools/'],
  ['tasks/', 'viz/', 'agents/'],
  ['contract/registry.ts'],
  ['http/', 'ops/'],
  ['start.ts'],
  ['commands/'],
  ['cli.ts'],
];

const areas = ['tasks', 'viz', 'agents'];

/** Files whose results depend on their arguments alone. */
export const pureFiles = [
  'contract/operation.ts',
  'contract/problem.ts',
  'lib/text.ts',
  'tasks/task.ts',
  'tasks/iso-timestamp.ts',
  'agents/runs/next-step.ts',
];

/** Folders and files of the charts whose results depend on their arguments alone. */
export const pureCharts = ['color.ts', 'layout/', 'request/', 'scene.ts', 'svg.ts', 'text/', 'theme.ts'];

/** Matches these files and folders of the server. */
const within = (...paths) => matching(server, paths);

/** Matches these files and folders of the charts. */
const charts = '^server/charts/src/';
const withinCharts = (...paths) => matching(charts, paths);

const matching = (folder, paths) =>
  `${folder}(${paths.map((path) => path.replaceAll('.', '\\.')).join('|')})`;

/** Matches these packages of npm. */
const packages = (...names) => `(^|node_modules/)(@types/)?(${names.join('|')})(/|$)`;

const onlyIn = (place, name, ...names) => ({
  name: `only-${name}`,
  comment: `Only ${place.join(' and ')} may import ${names.join(', ')}.`,
  severity: 'error',
  from: { path: server, pathNot: within(...place) },
  to: { path: packages(...names) },
});

export default {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'There are no import cycles.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    ...layers.map((layer, i) => {
      const longer = layers
        .flat()
        .filter((path) => layer.some((own) => own !== path && path.startsWith(own)));
      const above = layers.slice(i + 1).flat();
      const exceptions = layers
        .slice(0, i + 1)
        .flat()
        .filter((path) => above.some((other) => path.startsWith(other)));
      return {
        name: `layer-${i}`,
        comment: `${layer.join(', ')} import nothing from the layers above.`,
        severity: 'error',
        from: { path: within(...layer), ...(longer.length > 0 ? { pathNot: within(...longer) } : {}) },
        to: {
          path: within(...above, '\0'),
          ...(exceptions.length > 0 ? { pathNot: within(...exceptions) } : {}),
        },
      };
    }),
    ...areas.map((area) => ({
      name: `area-${area}`,
      comment: `${area}/ does not import other areas.`,
      severity: 'error',
      from: { path: within(`${area}/`) },
      to: { path: within(...areas.filter((other) => other !== area).map((other) => `${other}/`)) },
    })),
    onlyIn(['http/'], 'koa', 'koa', 'koa-bodyparser', '@koa'),
    onlyIn(['contract/'], 'openapi-backend', 'openapi-backend'),
    onlyIn(['db/', ...areas.map((area) => `${area}/`)], 'kysely', 'kysely'),
    onlyIn(['db/'], 'drivers', 'pg', '@electric-sql'),
    {
      name: 'charts-alone',
      comment: 'The package of charts imports nothing of the server.',
      severity: 'error',
      from: { path: charts },
      to: { path: server },
    },
    {
      name: 'charts-by-their-door',
      comment: 'The server imports only the entry points of the package of charts.',
      severity: 'error',
      from: { path: server },
      to: { path: charts, pathNot: withinCharts('index.ts', 'svg.ts') },
    },
    {
      name: 'only-painters',
      comment: 'Only paint/ of the charts imports libraries that draw.',
      severity: 'error',
      from: { path: '^(server|sdk)/', pathNot: withinCharts('paint/') },
      to: { path: packages('canvas', 'jspdf') },
    },
    {
      name: 'svg-in-browsers',
      comment: 'What draws SVG imports no library with native code and no Node API.',
      severity: 'error',
      from: { path: withinCharts('svg.ts') },
      to: { path: '^(node:|fs$|path$|url$)|(^|node_modules/)(canvas|jspdf)(/|$)', reachable: true },
    },
    onlyIn(['agents/runtimes/'], 'models', 'ai', 'openai', '@anthropic-ai'),
    onlyIn(['http/mcp/', 'agents/skills/mcp/'], 'mcp', '@modelcontextprotocol'),
    {
      name: 'handlers-without-sql',
      comment: 'Handlers do not import Kysely.',
      severity: 'error',
      from: { path: `${server}.*handlers\\.ts$` },
      to: { path: packages('kysely') },
    },
    {
      name: 'config-alone',
      comment:
        'config/ imports nothing of the server but startup-error.ts; only config/ reads the environment.',
      severity: 'error',
      from: { path: within('config/') },
      to: { path: server, pathNot: within('config/', 'lib/startup-error.ts') },
    },
    {
      name: 'only-config-has-process',
      comment: 'Only config/ imports node:process.',
      severity: 'error',
      from: { path: server, pathNot: within('config/') },
      to: { path: '^(node:)?process$' },
    },
    {
      name: 'pure-files',
      comment: 'A pure file imports no driver, no clock, no randomness and no Node API.',
      severity: 'error',
      from: { path: [within(...pureFiles), withinCharts(...pureCharts)] },
      to: { path: packages('kysely', 'pg', 'koa', 'uuid', 'canvas', 'jspdf', 'pino') },
    },
    {
      name: 'pure-files-without-node',
      comment: 'A pure file imports no Node API.',
      severity: 'error',
      from: { path: [within(...pureFiles), withinCharts(...pureCharts)] },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'pure-files-without-database',
      comment: 'A pure file imports only the types of tables and writes from db/.',
      severity: 'error',
      from: { path: within(...pureFiles) },
      to: { path: within('db/'), pathNot: within('db/tables.ts', 'db/write.ts') },
    },
    {
      name: 'sdk-alone',
      comment: 'The SDK imports only its own files, openapi-fetch, and types of TanStack Query and DB.',
      severity: 'error',
      from: { path: '^sdk/src/' },
      to: { pathNot: ['^sdk/src/', packages('openapi-fetch', '@tanstack')] },
    },
    {
      name: 'sdk-tanstack-types',
      comment: 'Applications bring their own TanStack Query and DB.',
      severity: 'error',
      from: { path: '^sdk/src/' },
      to: { path: packages('@tanstack'), dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tests/tsconfig.json' },
  },
};
