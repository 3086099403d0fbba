import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { SetupError } from '../environment.ts';

/**
 * Lets one process at a time use a folder: the file holds the id of that process. A file left behind by a process
 * that was killed is taken over. Returns the function that lets go.
 */
export function lockFolder(file: string, processId: number): () => void {
  try {
    writeFileSync(file, String(processId), { flag: 'wx', mode: 0o600 });
  } catch {
    const holder = Number(readFileSync(file, 'utf8'));
    // A holder with our own id was an earlier process in a container, where ids repeat.
    if (holder !== processId && isAlive(holder)) {
      throw new SetupError(
        `Process ${holder} already uses this data folder (${file}). Stop it, or set DATA_DIR to another folder.`,
      );
    }
    writeFileSync(file, String(processId), { mode: 0o600 });
  }
  return () => {
    rmSync(file, { force: true });
  };
}

function isAlive(processId: number): boolean {
  if (!Number.isInteger(processId) || processId <= 0) return false;
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
