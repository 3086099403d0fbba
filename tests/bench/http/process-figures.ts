import { readFileSync } from 'node:fs';

const tickMs = 10;

/** Processor time that a process has used so far, all threads; NaN where the system does not tell. */
export function cpuMsOf(pid: number): number {
  // Fields 14 and 15, counted behind the name, which may itself hold blanks and parentheses.
  const fields = read(pid, 'stat').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
}

/** Resident memory of a process in MB; NaN where the system does not tell. */
export function residentMbOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(read(pid, 'status'))?.[1]) / 1024;
}

export function childrenOf(pid: number): number[] {
  const text = read(pid, `task/${pid}/children`).trim();
  return text === '' ? [] : text.split(' ').map(Number);
}

/** A file of Linux; empty on other systems and once the process has ended. */
function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
