import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: ['src/index.ts'],
  format: ['esm', 'cjs'],
  platform: 'neutral',
  target: 'es2022',
  dts: true,
  fixedExtension: true,
  // Otherwise the declarations import openapi-fetch, of which they use nothing.
  treeshake: { moduleSideEffects: false },
  logLevel: 'warn',
});
