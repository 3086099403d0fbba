import { afterAll } from 'vitest';
import { cleanUp } from './cleanup.ts';

// Vitest runs this module before each file.
afterAll(cleanUp);
