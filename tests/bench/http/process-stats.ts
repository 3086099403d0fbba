import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';

const tickMs = 10;

/** Processor time of all threads of a process so far; NaN if /proc is not available. */
export function cpuMsOf(pid: number): number {
  // Fields 14 and 15, counted after the process name, which may contain spaces and parentheses.
  const fields = read(pid, 'stat').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
}

/** Processor time of everything on this machine so far. */
export function cpuMsOfMachine(): number {
  return cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0);
}

/** Resident memory of a process in MB; NaN if /proc is not available. */
export function residentMbOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(read(pid, 'status'))?.[1]) / 1024;
}

export function childrenOf(pid: number): number[] {
  const text = read(pid, `task/${pid}/children`).trim();
  return text === '' ? [] : text.split(' ').map(Number);
}

/** Reads a file of /proc; empty on other systems and after the process has exited. */
function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
