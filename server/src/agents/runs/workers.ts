import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Job, PgBoss } from 'pg-boss';
import type { Db } from '../../db/tables.ts';
import { queueName, type RunJob, type RunJobData } from './run-job.ts';

export interface WorkerOptions {
  /** The number of workers for each priority. */
  readonly concurrency: number;
  /** The number of these workers that only take jobs of users without an active job. */
  readonly keptWorkers: number;
  readonly onError: (error: Error) => void;
}

interface Work extends WorkerOptions {
  readonly boss: PgBoss;
  readonly db: Db;
  /** Rejects if the job has to be worked on again. */
  readonly workOn: (job: RunJob) => Promise<void>;
}

interface ActiveJob {
  readonly priority: number;
  readonly ended: Promise<void>;
}

const pollMs = 1000;
// A job without a heartbeat for 10 s is given to another worker.
const heartbeatMs = 5000;
const stopMs = 5000;

// A job is taken from a user with fewer active jobs than the first of these numbers, else the second, and so on.
const activeMax = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, undefined];

/**
 * Works on jobs: first on those of the users with the fewest active jobs, and among them on the oldest. The jobs of each
 * priority have workers of their own, so they do not wait for the jobs of another.
 */
export class Workers {
  readonly #work: Work;
  readonly #active = new Map<Job<RunJobData>, ActiveJob>();
  readonly #heartbeat: NodeJS.Timeout;
  #isStopped = false;
  #isAwake = false;
  #taking: Promise<void> | undefined;

  constructor(work: Work) {
    this.#work = work;
    this.#heartbeat = setInterval(() => {
      if (this.activeCount > 0) work.boss.touch(queueName, [...this.#active.keys()]).catch(work.onError);
    }, heartbeatMs);
    void this.#poll();
  }

  /** The number of jobs that this process is working on. */
  get activeCount(): number {
    return this.#active.size;
  }

  /** Lets free workers take jobs at once instead of within a second. */
  wake(): void {
    this.#isAwake = true;
    this.#taking ??= this.#takeJobs()
      .catch(this.#work.onError)
      .finally(() => (this.#taking = undefined));
  }

  /** Takes no more jobs. Active jobs that do not end within 5 seconds go back to the queue. */
  async stop(): Promise<void> {
    const { boss, onError } = this.#work;
    this.#isStopped = true;
    await this.#taking;
    const ended = Promise.all([...this.#active.values()].map((job) => job.ended));
    await Promise.race([ended, pause(stopMs, undefined, { ref: false })]);
    clearInterval(this.#heartbeat);
    if (this.activeCount > 0) await boss.fail(queueName, [...this.#active.keys()]).catch(onError);
  }

  async #poll(): Promise<void> {
    while (!this.#isStopped) {
      this.wake();
      await pause(pollMs, undefined, { ref: false });
    }
  }

  async #takeJobs(): Promise<void> {
    while (this.#isAwake && !this.#isStopped) {
      this.#isAwake = false;
      for (const priority of await waitingPriorities(this.#work.db)) while (await this.#takeJob(priority));
    }
  }

  /** Returns false if no worker is free for a job that waits. */
  async #takeJob(priority: number): Promise<boolean> {
    const { boss, concurrency, keptWorkers } = this.#work;
    const free = concurrency - [...this.#active.values()].filter((job) => job.priority === priority).length;
    if (free <= 0 || this.#isStopped) return false;
    for (const max of free > keptWorkers ? activeMax : activeMax.slice(0, 1)) {
      const group = max === undefined ? {} : { groupConcurrency: max };
      const options = { minPriority: priority, maxPriority: priority, ...group };
      const [job] = await boss.fetch<RunJobData>(queueName, options);
      if (job === undefined) continue;
      this.#active.set(job, { priority, ended: this.#workOn(job) });
      return true;
    }
    return false;
  }

  async #workOn(job: Job<RunJobData>): Promise<void> {
    const { boss, workOn, onError } = this.#work;
    try {
      await workOn({ runId: job.id, ...job.data });
      await boss.complete(queueName, job);
    } catch (error) {
      await boss.fail(queueName, job, error instanceof Error ? error : null).catch(onError);
    } finally {
      this.#active.delete(job);
      this.wake();
    }
  }
}

/** The priorities of the jobs that wait. */
async function waitingPriorities(db: Db): Promise<number[]> {
  const { rows } = await sql<{ priority: number }>`
    select distinct priority from pgboss.job
    where name = ${queueName} and state < 'active' and start_after <= now()
    order by priority desc`.execute(db);
  return rows.map(({ priority }) => priority);
}
