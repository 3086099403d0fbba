import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: join(import.meta.dirname, '../..'),
    include: ['tests/conformance/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // One file at a time: all files share the rate limit of one caller, and a deployed server should not get a high
    // load.
    fileParallelism: false,
    isolate: false,
  },
});
