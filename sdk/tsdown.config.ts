import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: ['src/index.ts', 'src/mock.ts', 'src/tanstack-db.ts', 'src/tanstack-query.ts'],
  format: ['esm', 'cjs'],
  platform: 'neutral',
  target: 'es2022',
  dts: true,
  fixedExtension: true,
  // No import of the CommonJS build of openapi-fetch works both in Node and in bundlers.
  deps: { alwaysBundle: ['openapi-fetch'], onlyBundle: ['openapi-fetch', 'openapi-typescript-helpers'] },
  logLevel: 'warn',
});
