import { join } from 'node:path';

/**
 * Options of the processes that run tests, and of the servers that they start. PGlite is WebAssembly, and most processes
 * end before V8's optimizing compiler has saved the time that it takes.
 */
export const nodeOptions: readonly string[] = ['--liftoff-only'];

/** Where these processes keep their compiled modules, which hundreds of them load. */
export const compileCache = join(import.meta.dirname, '../../node_modules/.cache/node');
