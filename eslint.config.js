import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import js from '@eslint/js';
import tseslint from 'typescript-eslint';
import { pureCharts, pureFiles } from './.dependency-cruiser.js';

// In the configuration, so that ESLint's cache becomes invalid when other types or compiler options are installed.
const typesOfDependencies = [
  'package-lock.json',
  'tsconfig.base.json',
  'tests/tsconfig.json',
  'sdk/tsconfig.json',
]
  .map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'))
  .join('');

const contract = JSON.parse(
  readFileSync(new URL('server/src/generated/openapi.json', import.meta.url), 'utf8'),
);
const kinds = contract.components.schemas.ChartRequest.properties.chart_type.enum.join('|');
const ofKinds = 'The properties of each kind of chart are in chart-kinds.ts.';
const kindsOfCharts = ['BinaryExpression[operator=/^[!=]==$/]', 'SwitchCase'].map((parent) => ({
  selector: `${parent} > Literal[value=/^(${kinds})$/]`,
  message: ofKinds,
}));
const environment = { object: 'process', property: 'env', message: 'Only config/ reads the environment.' };
const received = 'A pure file receives time and randomness as arguments.';
const clocks = [
  { object: 'Date', property: 'now', message: received },
  { object: 'Math', property: 'random', message: received },
];

export default tseslint.config(
  {
    ignores: [
      '**/node_modules/',
      '**/dist/',
      '**/generated/',
      'data/',
      'eslint.config.js',
      '.dependency-cruiser.js',
      'server/bin.js',
      'vitest.config.ts',
      'sdk/tsdown.config.ts',
      'tests/bench/peers/',
      'tests/interop/peers/',
      // An application with packages of its own. `npm run check:package` compiles it.
      'sdk/example/',
    ],
  },
  js.configs.recommended,
  tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        // The project of the tests includes the server and the scripts.
        project: ['./tests/tsconfig.json', './sdk/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    settings: { typesOfDependencies: createHash('sha256').update(typesOfDependencies).digest('hex') },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      'no-control-regex': 'off',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { ignoreRestSiblings: true, ignoreUsingDeclarations: true },
      ],
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'as' }],
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      'max-lines': ['error', { max: 220 }],
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ['server/src/**', 'server/charts/src/**'],
    ignores: ['server/src/config/**'],
    rules: { 'no-restricted-properties': ['error', environment] },
  },
  {
    files: ['server/charts/src/**', 'server/src/viz/**', 'server/src/agents/runtimes/builtin/**'],
    rules: { 'no-restricted-syntax': ['error', ...kindsOfCharts] },
  },
  {
    files: [
      ...pureFiles.map((path) => `server/src/${path}`),
      ...pureCharts.map((path) => `server/charts/src/${path}`),
    ].map((path) => (path.endsWith('/') ? `${path}**` : path)),
    rules: {
      'no-restricted-properties': ['error', environment, ...clocks],
      'no-restricted-globals': ['error', 'crypto', 'fetch', 'performance'],
      'no-restricted-syntax': [
        'error',
        { selector: 'NewExpression[callee.name="Date"][arguments.length=0]', message: received },
        ...kindsOfCharts,
      ],
    },
  },
  {
    // A describe block may contain any number of tests.
    files: ['tests/**', 'server/charts/tests/**'],
    rules: {
      'max-lines-per-function': 'off',
      // Vitest types its asymmetric matchers, such as expect.any(String), as any.
      '@typescript-eslint/no-unsafe-assignment': 'off',
    },
  },
  {
    // A migration is one long list of statements.
    files: ['server/src/db/migrations/**'],
    rules: { 'max-lines-per-function': 'off' },
  },
);
