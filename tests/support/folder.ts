import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates an empty folder. The run deletes it at its end, with all other temporary folders. */
export function createFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'worktable-'));
}
