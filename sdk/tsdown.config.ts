import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: ['src/index.ts'],
  format: ['esm', 'cjs'],
  platform: 'neutral',
  target: 'es2022',
  dts: true,
  fixedExtension: true,
  // As CommonJS, openapi-fetch cannot be imported in one way that works in Node and in bundlers.
  deps: { alwaysBundle: ['openapi-fetch'], onlyBundle: ['openapi-fetch', 'openapi-typescript-helpers'] },
  logLevel: 'warn',
});
