import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { compileCache, nodeOptions, temporaryFolder } from './tests/support/node.ts';

process.env['NODE_COMPILE_CACHE'] ??= compileCache;
process.env['TMPDIR'] ??= temporaryFolder();

// What does not depend on the database runs once, on the engine that starts faster.
const onAnyEngine = [
  'tests/{contract,e2e}/**/any-engine/*.test.ts',
  'tests/contract/render*.test.ts',
  'tests/e2e/render-processes.test.ts',
];
const onAllEngines = {
  include: ['tests/contract/**/*.test.ts', 'tests/e2e/**/*.test.ts'],
  exclude: onAnyEngine,
};

const onCitus = {
  extends: true,
  test: { name: 'citus', ...onAllEngines, env: { TEST_ENGINE: 'citus' } },
} as const;

export default defineConfig({
  test: {
    globalSetup: ['tests/support/global-setup.ts'],
    // With isolation, each file would load the server or the SDK again: a fifth more processor time for all tests.
    isolate: false,
    setupFiles: ['tests/support/each-file.ts'],
    // Many tests wait for processes and time limits, so more of them than processors are under way.
    maxWorkers: Math.max(4, availableParallelism()),
    // The tests of `describe.concurrent` start processes of their own.
    maxConcurrency: 3,
    execArgv: [...nodeOptions],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Tests poll for what must happen, not for how soon it happens.
    expect: { poll: { timeout: 20_000 } },
    projects: [
      { extends: true, test: { name: 'unit', include: ['tests/unit/**/*.test.ts'] } },
      {
        extends: true,
        test: { name: 'sdk', include: ['tests/sdk/**/*.test.ts'], env: { TEST_ENGINE: 'any' } },
      },
      {
        extends: true,
        test: { name: 'fuzz', include: ['tests/fuzz/**/*.test.ts'], env: { TEST_ENGINE: 'pglite' } },
      },
      { extends: true, test: { name: 'any-engine', include: onAnyEngine, env: { TEST_ENGINE: 'any' } } },
      { extends: true, test: { name: 'pglite', ...onAllEngines, env: { TEST_ENGINE: 'pglite' } } },
      { extends: true, test: { name: 'postgres', ...onAllEngines, env: { TEST_ENGINE: 'postgres' } } },
      ...(process.env['TEST_CITUS_URL'] === undefined ? [] : [onCitus]),
    ],
  },
});
