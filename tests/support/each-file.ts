import { afterAll } from 'vitest';
import { cleanUp } from './cleanup.ts';

// Vitest executes this module before each file.
afterAll(cleanUp);
