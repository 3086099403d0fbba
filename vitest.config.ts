import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { compileCache, createRunFolder, nodeOptions } from './tests/support/node.ts';

process.env['NODE_COMPILE_CACHE'] ??= compileCache;
process.env['TMPDIR'] = createRunFolder();

// Tests that do not depend on the database run once.
const onOneEngine = ['tests/{contract,e2e}/**/one-engine/*.test.ts'];
const onAllEngines = {
  include: ['tests/contract/**/*.test.ts', 'tests/e2e/**/*.test.ts'],
  exclude: onOneEngine,
};

interface Files {
  readonly include: string[];
  readonly exclude?: string[];
}

/** A project whose engine starts when a file of the project is run: one engine, or "any" for the one that is available. */
function onEngine(engine: 'any' | 'pglite' | 'postgres' | 'citus', name: string, files: Files) {
  const globalSetup = ['tests/support/engine-setup.ts'];
  return { extends: true, test: { name, ...files, globalSetup, env: { TEST_ENGINE: engine } } } as const;
}

const interop = onEngine('any', 'interop', { include: ['tests/interop/*.test.ts'] });
interop.test.globalSetup.push('tests/interop/peers.ts');

export default defineConfig({
  test: {
    // With isolation, each file would load the server or the SDK again: a fifth more processor time in total.
    isolate: false,
    setupFiles: ['tests/support/each-file.ts'],
    // Many tests wait for processes and time limits: four files at a time use 62 % of two processors.
    maxWorkers: Math.max(6, availableParallelism()),
    // The tests of `describe.concurrent` start processes of their own.
    maxConcurrency: 3,
    execArgv: [...nodeOptions],
    // On a busy machine, tests take many times as long, so these limits are only for tests that hang.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // A test whose picture is not stored fails. `-u` stores it.
    update: 'none',
    expect: { poll: { timeout: 120_000 } },
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['tests/unit/**/*.test.ts', 'server/charts/tests/**/*.test.ts'] },
      },
      onEngine('any', 'sdk', { include: ['tests/sdk/**/*.test.ts'] }),
      onEngine('pglite', 'fuzz', { include: ['tests/fuzz/**/*.test.ts'] }),
      onEngine('any', 'one-engine', { include: onOneEngine }),
      onEngine('pglite', 'pglite', onAllEngines),
      onEngine('postgres', 'postgres', onAllEngines),
      // Only for `npm run interop`, because installing and compiling takes long.
      ...(process.env['TEST_INTEROP'] === undefined ? [] : [interop]),
      ...(process.env['TEST_CITUS_URL'] === undefined ? [] : [onEngine('citus', 'citus', onAllEngines)]),
    ],
  },
});
