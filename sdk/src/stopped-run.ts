import type { Run, RunEvent, RunStreamQuery } from './resources.ts';

/** Returns true if a run has ended or requires action. */
export function hasStopped({ status }: Run): boolean {
  return status !== 'queued' && status !== 'running';
}

export function isLastEvent({ event }: RunEvent, until: RunStreamQuery['until']): boolean {
  return runEventNames[event] && !(event === 'run.requires_action' && until === 'finished');
}

/** The events of a run, with true for the last event of its stream. */
export const runEventNames: Readonly<Record<RunEvent['event'], boolean>> = {
  'run.queued': false,
  'run.started': false,
  'run.waiting': false,
  'run.warning': false,
  message: false,
  'message.delta': false,
  'run.requires_action': true,
  'run.completed': true,
  'run.incomplete': true,
  'run.failed': true,
  'run.cancelled': true,
};
