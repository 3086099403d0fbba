import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: join(import.meta.dirname, '../..'),
    include: ['tests/conformance/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // One caller has one rate limit, and few requests at a time spare a deployed server.
    fileParallelism: false,
    isolate: false,
  },
});
