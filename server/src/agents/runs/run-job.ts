import type { JobInsert } from 'pg-boss';
import { newId } from '../../ids.ts';
import type { SessionKey } from '../sessions/session-store.ts';

/** The run of a job, with its user and its session. */
export interface RunJob {
  readonly runId: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly runtime: string;
  /** The request that started the run; undefined where the job was lost and restored. */
  readonly requestId?: string | undefined;
}

/** The data of a job. A job without `runId` has the id of its run. */
export type RunJobData = Omit<RunJob, 'runId'> & Partial<Pick<RunJob, 'runId'>>;

export const queueName = 'runs';

/** How long the queue keeps a job that no worker takes. No installation is switched off for longer. */
export const retentionSeconds = 10 * 365 * 86_400;

export function jobFrom({ runId, ...data }: RunJob): JobInsert<RunJobData> {
  const singletonKey = keyOf({ id: data.sessionId, userId: data.userId });
  // Built-in runs take milliseconds. Jobs of each priority have workers of their own.
  const priority = data.runtime === 'builtin' ? 1 : 0;
  // The queue counts the active jobs of a group.
  return { id: runId, singletonKey, priority, group: { id: data.userId }, data };
}

/** The key of the jobs of a session. A session id has no slash, so it names one session of one user. */
export function keyOf({ id, userId }: SessionKey): string {
  return `${id}/${userId}`;
}

/**
 * Another job for a run that continues. It needs a new id, because the first job may still be active and keeps the id
 * of the run for some time.
 */
export function resumingJobFrom(job: RunJob): JobInsert<RunJobData> {
  return { ...jobFrom(job), id: newId(), data: job };
}
