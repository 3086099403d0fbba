import type { JobInsert } from 'pg-boss';

/** The run that a job is for, with the user and the session it belongs to. */
export interface RunJob {
  readonly runId: string;
  readonly userId: string;
  readonly sessionId: string;
}

/** The data of a job. Its id is the id of the run. */
export type RunJobData = Omit<RunJob, 'runId'>;

export const queueName = 'runs';

/** How long the queue keeps a job that no worker takes: longer than any installation is switched off. */
export const retentionSeconds = 10 * 365 * 86_400;

export function jobFrom({ runId, userId, sessionId }: RunJob): JobInsert<RunJobData> {
  // A session id has no slash, so the key names one session of one user.
  return { id: runId, singletonKey: `${sessionId}/${userId}`, data: { userId, sessionId } };
}
