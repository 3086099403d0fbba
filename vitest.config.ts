import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// What does not depend on the database runs once, on the engine that starts faster.
const onAnyEngine = [
  'tests/{contract,e2e}/**/any-engine/*.test.ts',
  'tests/contract/render*.test.ts',
  'tests/e2e/render-processes.test.ts',
];
const onBothEngines = {
  include: ['tests/contract/**/*.test.ts', 'tests/e2e/**/*.test.ts'],
  exclude: onAnyEngine,
};

export default defineConfig({
  test: {
    globalSetup: ['tests/support/global-setup.ts'],
    // Many tests wait for processes and time limits, so more of them than processors are under way.
    maxWorkers: Math.max(3, availableParallelism()),
    testTimeout: 30_000,
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
      { extends: true, test: { name: 'pglite', ...onBothEngines, env: { TEST_ENGINE: 'pglite' } } },
      { extends: true, test: { name: 'postgres', ...onBothEngines, env: { TEST_ENGINE: 'postgres' } } },
    ],
  },
});
