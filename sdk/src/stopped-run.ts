import type { Run, RunEvent } from './resources.ts';

/** A run that has ended or requires action. */
type StoppedRun = Run & { readonly status: Exclude<Run['status'], 'queued' | 'running'> };

export function hasStopped(run: Run): run is StoppedRun {
  return run.status !== 'queued' && run.status !== 'running';
}

/** The last event of the stream of a run is named after the status of the run. */
export function lastEventOf(run: StoppedRun): RunEvent {
  return { event: `run.${run.status}`, data: run };
}

export function isLastEvent({ event }: RunEvent): boolean {
  return runEventNames[event];
}

/** The events of a run, and whether each is the last of its stream. */
export const runEventNames: Readonly<Record<RunEvent['event'], boolean>> = {
  'run.started': false,
  'run.waiting': false,
  message: false,
  'message.delta': false,
  'run.requires_action': true,
  'run.completed': true,
  'run.incomplete': true,
  'run.failed': true,
  'run.cancelled': true,
};
