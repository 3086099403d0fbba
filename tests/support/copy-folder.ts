import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Copies a database folder, which has a thousand small files. `cp` is twenty times as fast as `fs.cp`. */
export async function copyFolder(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-R', `${from}/.`, to]);
}
