import type { JobInsert } from 'pg-boss';

/** A run to be worked on, by the session that it belongs to. */
export interface RunJob {
  readonly runId: string;
  readonly userId: string;
  readonly sessionId: string;
}

/** What a job of the queue carries beside its id, which is that of the run. */
export type RunJobData = Omit<RunJob, 'runId'>;

export const queueName = 'runs';

/** For how long the queue keeps a job that no worker takes: longer than an installation may be switched off. */
export const retentionSeconds = 10 * 365 * 86_400;

export function jobFrom({ runId, userId, sessionId }: RunJob): JobInsert<RunJobData> {
  // A session id has no slash, so the key names one session of one user.
  return { id: runId, singletonKey: `${sessionId}/${userId}`, data: { userId, sessionId } };
}
