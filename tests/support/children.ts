import { readFile } from 'node:fs/promises';

/** The children of a process, from /proc of Linux. */
export async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return text.split(' ').filter(Boolean).map(Number);
}

/** Resolves to true if a process has ended. A zombie, whose parent has not read its exit code yet, has ended too. */
export async function hasEnded(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return status === '' || /^State:\s+[ZX]/m.test(status);
}
