import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Copies a database folder of a thousand small files. `cp` takes a twentieth of the time of `fs.cp`. */
export async function copyFolder(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-R', `${from}/.`, to]);
}
