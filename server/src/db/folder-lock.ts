import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { SetupError } from '../environment.ts';

/**
 * Lets one process at a time use a folder: the file holds the id of that process. A file left behind by a process
 * that was killed is taken over. Returns the function that lets go.
 */
export function lockFolder(file: string, processId: number): () => void {
  // The file appears with its content: a link to one that is already written either succeeds or exists.
  const draft = `${file}.${processId}`;
  writeFileSync(draft, String(processId), { mode: 0o600 });
  try {
    if (!link(draft, file)) takeOver(draft, file, processId);
  } finally {
    rmSync(draft, { force: true });
  }
  return () => {
    if (holderOf(file) === processId) rmSync(file, { force: true });
  };
}

function link(draft: string, file: string): boolean {
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

function takeOver(draft: string, file: string, processId: number): void {
  const holder = holderOf(file);
  // A holder with our own id was an earlier process in a container, where ids repeat.
  if (holder !== processId && isAlive(holder)) {
    throw new SetupError(
      `Process ${holder} already uses this data folder. Stop it, or set DATA_DIR to another folder. ` +
        `If that process is no server, remove ${file}.`,
    );
  }
  // Of two processes that find the same dead holder, the rename lets one take the file away and so win.
  renameSync(file, `${draft}.dead`);
  rmSync(`${draft}.dead`, { force: true });
  if (!link(draft, file)) takeOver(draft, file, processId);
}

function holderOf(file: string): number {
  return Number(readFileSync(file, 'utf8'));
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
