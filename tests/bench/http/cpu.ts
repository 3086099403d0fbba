import { readFileSync } from 'node:fs';

const tickMs = 10;

/** Processor time that a process has used so far, all threads; NaN where the system does not tell. */
export function cpuMsOf(pid: number): number {
  try {
    // Fields 14 and 15, counted behind the name, which may itself hold blanks and parentheses.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * tickMs;
  } catch {
    return NaN;
  }
}

/** Resident memory of a process in MB; NaN where the system does not tell. */
export function residentMbOf(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  } catch {
    return NaN;
  }
}
