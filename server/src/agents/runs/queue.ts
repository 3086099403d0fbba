import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { fromKysely, PgBoss, type ConstructorOptions } from 'pg-boss';
import { startJobs } from '../../db/jobs.ts';
import type { Db } from '../../db/tables.ts';
import type { SessionKey } from '../sessions/session-store.ts';
import {
  hastenJobs,
  isOfSession,
  jobFrom,
  postponeJobs,
  queueName,
  withoutJob,
  type RunJob,
} from './run-jobs.ts';
import { Workers, type WorkerOptions } from './workers.ts';

export interface RunQueue {
  /** Adds a job in the transaction that inserts its run, or lets it continue. */
  add(transaction: Db, job: RunJob): Promise<void>;
  /**
   * Ends the work on the active job of a session in this transaction, and lets the job begin again after `ms`. If `ms`
   * is infinite, the job waits until its runtime is resumed.
   */
  postpone(transaction: Db, session: SessionKey, ms: number): Promise<void>;
  /** Lets a postponed job of a session begin now. */
  hasten(transaction: Db, session: SessionKey): Promise<void>;
  /**
   * Adds the missing jobs of unfinished runs: pg-boss deletes a job that has waited for two weeks, and a job may have
   * executed an older run of its session. If servers add the same job, the superfluous one is harmless: its worker
   * executes the next run of the session, or finds none.
   */
  restore(db: Db, jobs: readonly RunJob[]): Promise<void>;
  /** Lets a free worker take a job at once. Call it after the commit of the transaction. */
  wakeWorker(): void;
  /** Starts the workers. They work on one job of a session at a time, and again on a job whose work rejects. */
  work(db: Db, workOn: (job: RunJob) => Promise<void>): void;
  /** The number of jobs that this process is working on. */
  activeCount(): number;
  /** Retries the jobs of a process that died. Only safe where no other process can be alive. */
  recover(db: Db): Promise<void>;
  /** Takes no more jobs. Active jobs that do not end within 5 seconds go back to the queue. */
  stop(): Promise<void>;
}

interface QueueOptions extends WorkerOptions {
  /** The time limit of a run. */
  readonly runMs: number;
}

/** Opens pg-boss on the database of the service. */
export async function openRunQueue(
  connection: ConstructorOptions,
  { runMs, ...workerOptions }: QueueOptions,
): Promise<RunQueue> {
  const boss = new PgBoss({
    ...connection,
    schedule: false,
    superviseIntervalSeconds: 3,
    monitorIntervalSeconds: 3,
    // Deletes the jobs that ended more than `deleteAfterSeconds` ago.
    maintenanceIntervalSeconds: 60,
  });
  boss.on('error', workerOptions.onError);
  await startJobs(boss, () => createQueue(boss, runMs));
  let workers: Workers | undefined;

  return {
    add: async (transaction, job) => {
      await boss.insert(queueName, [jobFrom(job)], { db: fromKysely(transaction) });
    },
    postpone: async (transaction, session, ms) => {
      await postponeJobs(transaction, isOfSession(session), ms);
      if (Number.isFinite(ms)) setTimeout(() => workers?.wake(), ms + 10).unref();
    },
    hasten: async (transaction, session) => {
      await hastenJobs(transaction, isOfSession(session));
    },
    restore: async (db, jobs) => {
      const missing = await withoutJob(db, jobs);
      if (missing.length > 0) await boss.insert(queueName, missing.map(jobFrom));
    },
    wakeWorker: () => workers?.wake(),
    work: (db, workOn) => {
      workers = new Workers({ boss, db, workOn, ...workerOptions });
    },
    activeCount: () => workers?.activeCount ?? 0,
    recover: (db) => postponeJobs(db, sql`true`, 0),
    // The statements take up to half a minute if the database does not respond.
    stop: () => Promise.race([stop(), pause(7000, undefined, { ref: false })]),
  };

  async function stop(): Promise<void> {
    await workers?.stop();
    await boss.stop({ graceful: false });
  }
}

/**
 * The jobs of one session are processed in order. A job that failed for good would block its session, so jobs are
 * retried practically without end.
 */
async function createQueue(boss: PgBoss, runMs: number): Promise<void> {
  const options = {
    retryLimit: 1_000_000,
    retryDelay: 1,
    // A worker without a heartbeat for this long is considered dead. This is the minimum of pg-boss.
    heartbeatSeconds: 10,
    expireInSeconds: Math.ceil(runMs / 1000) + 600,
    deleteAfterSeconds: 600,
  };
  await boss.createQueue(queueName, { ...options, policy: 'key_strict_fifo' });
  await boss.updateQueue(queueName, options);
  // Makes pg-boss cache the queue, so that `insert` never queries the database outside its transaction.
  await boss.getBlockedKeys(queueName);
}
