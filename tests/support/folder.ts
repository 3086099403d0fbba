import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates an empty folder. At the end of the run, all temporary folders are deleted. */
export function createFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'worktable-'));
}
