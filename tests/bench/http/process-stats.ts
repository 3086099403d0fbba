import { readFileSync } from 'node:fs';

const tickMs = 10;

/** Processor time of a process so far, for all threads; NaN without /proc. */
export function cpuMsOf(pid: number): number {
  // Fields 14 and 15. They are counted after the process name, which may contain spaces and parentheses.
  const fields = read(pid, 'stat').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
}

/** Resident memory of a process in MB; NaN without /proc. */
export function residentMbOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(read(pid, 'status'))?.[1]) / 1024;
}

/** Reads a file in /proc; empty on other systems, and after the process has exited. */
function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
