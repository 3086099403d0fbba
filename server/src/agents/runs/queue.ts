import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { fromKysely, PgBoss } from 'pg-boss';
import type { Database } from '../../db/database.ts';
import { startJobs } from '../../db/jobs.ts';
import type { RowKey } from '../../db/row-key.ts';
import type { Db } from '../../db/tables.ts';
import {
  findMissingJobs,
  hastenJobs,
  isOfSession,
  jobFrom,
  postponeJobs,
  queueName,
  suspendJobs,
  type RunJob,
} from './run-jobs.ts';
import { Workers, type WorkerOptions } from './workers.ts';

interface QueueOptions extends WorkerOptions {
  /** The time limit of a run. */
  readonly runMs: number;
}

/**
 * The jobs of runs, in pg-boss on the database of the service. server/src/README.md, "Runs and their jobs", says when a
 * job is added, postponed, suspended, hastened or restored.
 */
export class RunQueue {
  readonly #boss: PgBoss;
  readonly #db: Db;
  readonly #options: WorkerOptions;
  #workers: Workers | undefined;

  private constructor(boss: PgBoss, db: Db, options: WorkerOptions) {
    this.#boss = boss;
    this.#db = db;
    this.#options = options;
  }

  static async open({ db, jobs }: Pick<Database, 'db' | 'jobs'>, options: QueueOptions): Promise<RunQueue> {
    const boss = new PgBoss({
      ...jobs,
      schedule: false,
      superviseIntervalSeconds: 3,
      monitorIntervalSeconds: 3,
      // How often pg-boss deletes the jobs that ended more than `deleteAfterSeconds` ago.
      maintenanceIntervalSeconds: 60,
    });
    boss.on('error', options.onError);
    await startJobs(boss, () => createQueue(boss, options.runMs));
    return new RunQueue(boss, db, options);
  }

  /** Adds a job in the transaction that inserts its run or lets its run continue. */
  async add(transaction: Db, job: RunJob): Promise<void> {
    await this.#boss.insert(queueName, [jobFrom(job)], { db: fromKysely(transaction) });
  }

  /** Puts the active job of a session back into the queue, in this transaction. It may begin again after `ms`. */
  async postpone(transaction: Db, session: RowKey, ms: number): Promise<void> {
    await postponeJobs(transaction, isOfSession(session), ms);
    setTimeout(() => this.#workers?.wake(), ms + 10).unref();
  }

  /** Puts the active job of a session back until its runtime is resumed, in this transaction. */
  async suspend(transaction: Db, session: RowKey): Promise<void> {
    await suspendJobs(transaction, isOfSession(session));
  }

  /** Lets a postponed or suspended job of a session begin now. */
  async hasten(transaction: Db, session: RowKey): Promise<void> {
    await hastenJobs(transaction, isOfSession(session));
  }

  /**
   * Adds those of the jobs that are missing. Two servers may add the same job: the worker of the second executes the
   * next run of the session, or finds none.
   */
  async restore(jobs: readonly RunJob[]): Promise<void> {
    const missing = await findMissingJobs(this.#db, jobs);
    if (missing.length > 0) await this.#boss.insert(queueName, missing.map(jobFrom));
  }

  /** Wakes a free worker. Call it after the commit of the transaction that adds a job. */
  wakeWorker(): void {
    this.#workers?.wake();
  }

  /** Starts the workers. They work on one job of a session at a time, and repeat a job whose work rejects. */
  work(workOn: (job: RunJob) => Promise<void>): void {
    this.#workers = new Workers({ boss: this.#boss, db: this.#db, workOn, ...this.#options });
  }

  /** The number of jobs of a runtime that this process is working on. */
  activeCount(runtime: string): number {
    return this.#workers?.activeCount(runtime) ?? 0;
  }

  /** Retries the jobs of a process that died. Call it only where no other process can be alive. */
  async recover(): Promise<void> {
    await postponeJobs(this.#db, sql`true`, 0);
  }

  /** Takes no more jobs. Active jobs that do not end within 5 seconds go back to the queue. */
  async stop(): Promise<void> {
    const stopped = async (): Promise<void> => {
      await this.#workers?.stop();
      await this.#boss.stop({ graceful: false });
    };
    // The statements take up to half a minute if the database does not respond.
    await Promise.race([stopped(), pause(7000, undefined, { ref: false })]);
  }
}

/**
 * The jobs of a session are processed in order, so a job that failed for good would block its session. Jobs are
 * therefore retried practically without end.
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
  // Makes pg-boss cache the queue now. `insert` would otherwise query the database outside its transaction.
  await boss.getBlockedKeys(queueName);
}
