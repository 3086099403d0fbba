import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const onBothEngines = ['tests/contract/**/*.test.ts', 'tests/e2e/**/*.test.ts'];

export default defineConfig({
  test: {
    globalSetup: ['tests/support/global-setup.ts'],
    // Many tests wait for processes and time limits, so more of them than processors are under way.
    maxWorkers: Math.max(3, availableParallelism()),
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What is polled for comes in the end; how soon is no promise.
    expect: { poll: { timeout: 20_000 } },
    projects: [
      { extends: true, test: { name: 'unit', include: ['tests/unit/**/*.test.ts'] } },
      {
        extends: true,
        test: { name: 'sdk', include: ['tests/sdk/**/*.test.ts'], env: { TEST_ENGINE: 'pglite' } },
      },
      {
        extends: true,
        test: { name: 'fuzz', include: ['tests/fuzz/**/*.test.ts'], env: { TEST_ENGINE: 'pglite' } },
      },
      { extends: true, test: { name: 'pglite', include: onBothEngines, env: { TEST_ENGINE: 'pglite' } } },
      { extends: true, test: { name: 'postgres', include: onBothEngines, env: { TEST_ENGINE: 'postgres' } } },
    ],
  },
});
