import { sql } from 'kysely';
import { fromKysely, PgBoss, type ConstructorOptions } from 'pg-boss';
import { startJobs } from '../../db/jobs.ts';
import type { Db } from '../../db/tables.ts';
import { restoreJobs } from './restore-jobs.ts';
import { jobFrom, queueName, retentionSeconds, type RunJob, type RunJobData } from './run-job.ts';

export interface RunQueue {
  /** Adds a job as part of the transaction that writes the run. */
  add(transaction: Db, job: RunJob): Promise<void>;
  /** Adds the jobs of unfinished runs that have none. */
  restore(db: Db, jobs: readonly RunJob[]): Promise<void>;
  /** Wakes an idle worker, once the transaction is committed. */
  nudge(): void;
  /** Works on jobs, at most one of a session at a time. A job whose work rejects is tried again. */
  work(workOn: (job: RunJob, signal: AbortSignal) => Promise<void>): Promise<void>;
  /** How many jobs this process works on. */
  working(): number;
  /** Gives back the jobs that a process had when it died. Only where no other process can be alive. */
  recover(db: Db): Promise<void>;
  /** Takes no more jobs; those that are not done soon go back to the queue. */
  stop(): Promise<void>;
}

interface QueueOptions {
  readonly concurrency: number;
  /** How long a run may take. */
  readonly runMs: number;
  readonly onError: (error: Error) => void;
}

/** pg-boss on the service's own database. */
export async function openRunQueue(
  connection: ConstructorOptions,
  { concurrency, runMs, onError }: QueueOptions,
): Promise<RunQueue> {
  const boss = new PgBoss({
    ...connection,
    schedule: false,
    superviseIntervalSeconds: 3,
    monitorIntervalSeconds: 3,
  });
  boss.on('error', onError);
  await startJobs(boss, () => createQueue(boss, runMs));
  const workers: { id: string; isBusy: boolean }[] = [];

  return {
    add: async (transaction, job) => {
      await boss.insert(queueName, [jobFrom(job)], { db: fromKysely(transaction) });
    },
    restore: (db, jobs) => restoreJobs(boss, db, jobs),
    nudge: () => {
      const idle = workers.find(({ isBusy }) => !isBusy);
      if (idle !== undefined) boss.notifyWorker(idle.id);
    },
    work: async (workOn) => {
      for (let count = 0; count < concurrency; count += 1) workers.push(await startWorker(boss, workOn));
    },
    working: () => workers.filter(({ isBusy }) => isBusy).length,
    recover: async (db) => {
      const active = await findActiveJobs(db);
      if (active.length > 0) await boss.fail(queueName, active);
    },
    stop: () => boss.stop({ graceful: true, timeout: 5000 }),
  };
}

/** The jobs of one session are done in order. None ever fails for good, as that would block its session. */
async function createQueue(boss: PgBoss, runMs: number): Promise<void> {
  const options = {
    retryLimit: 1_000_000,
    retryDelay: 1,
    // A worker that says nothing for this long is dead. pg-boss allows no less.
    heartbeatSeconds: 10,
    expireInSeconds: Math.ceil(runMs / 1000) + 600,
    deleteAfterSeconds: 600,
    retentionSeconds,
  };
  await boss.createQueue(queueName, { ...options, policy: 'key_strict_fifo' });
  await boss.updateQueue(queueName, options);
  // pg-boss remembers the queue from here on, so that sending never asks the database outside its transaction.
  await boss.getBlockedKeys(queueName);
}

async function findActiveJobs(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from pgboss.job where name = ${queueName} and state = 'active'`.execute(db);
  return rows.map(({ id }) => id);
}

async function startWorker(
  boss: PgBoss,
  workOn: (job: RunJob, signal: AbortSignal) => Promise<void>,
): Promise<{ id: string; isBusy: boolean }> {
  const worker = { id: '', isBusy: false };
  worker.id = await boss.work<RunJobData>(queueName, { pollingIntervalSeconds: 1 }, async ([job]) => {
    if (job === undefined) return;
    worker.isBusy = true;
    try {
      await workOn({ runId: job.id, ...job.data }, job.signal);
    } finally {
      worker.isBusy = false;
      // Finished jobs may let others of their session begin; without this they would wait for the next poll.
      boss.notifyWorker(worker.id);
    }
  });
  return worker;
}
