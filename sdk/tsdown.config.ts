import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    tasks: 'src/areas/tasks.ts',
    viz: 'src/areas/viz.ts',
    agents: 'src/areas/agents.ts',
    'tanstack-db': 'src/tanstack-db.ts',
    'tanstack-query': 'src/tanstack-query.ts',
    mock: 'src/mock.ts',
  },
  format: ['esm', 'cjs'],
  platform: 'neutral',
  target: 'es2022',
  dts: true,
  sourcemap: true,
  fixedExtension: true,
  // No import of the CommonJS build of openapi-fetch works both in Node and in bundlers.
  deps: { alwaysBundle: ['openapi-fetch'], onlyBundle: ['openapi-fetch', 'openapi-typescript-helpers'] },
  logLevel: 'warn',
});
