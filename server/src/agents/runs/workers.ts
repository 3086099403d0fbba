import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Job, PgBoss } from 'pg-boss';
import type { Db } from '../../db/tables.ts';
import { queueName, type RunJob } from './run-jobs.ts';

export interface WorkerOptions {
  /** The number of workers for each runtime. */
  readonly concurrency: number;
  /** How many of these workers only take jobs of users without an active job. */
  readonly keptWorkers: number;
  readonly onError: (error: Error) => void;
}

interface Work extends WorkerOptions {
  readonly boss: PgBoss;
  readonly db: Db;
  /** Rejects if the job must be repeated. */
  readonly workOn: (job: RunJob) => Promise<void>;
}

interface ActiveJob {
  readonly priority: number;
  readonly ended: Promise<void>;
}

const pollMs = 1000;
// After 10 s without a heartbeat, a job is given to another worker.
const heartbeatMs = 5000;
const stopMs = 5000;

/**
 * Works on jobs. Users with the fewest active jobs come first, and users without an active job take turns. Each runtime
 * has a priority and workers of its own, so that its jobs do not wait for jobs of other runtimes.
 */
export class Workers {
  readonly #work: Work;
  readonly #active = new Map<Job<RunJob>, ActiveJob>();
  readonly #heartbeat: NodeJS.Timeout;
  /** The users who have had a job in this round of turns. */
  readonly #served = new Set<string>();
  #isStopped = false;
  #isAwake = false;
  #taking: Promise<void> | undefined;

  constructor(work: Work) {
    this.#work = work;
    this.#heartbeat = setInterval(() => {
      if (this.#active.size > 0) work.boss.touch(queueName, [...this.#active.keys()]).catch(work.onError);
    }, heartbeatMs);
    void this.#poll();
  }

  /** The number of jobs of a runtime that this process is working on. */
  activeCount(runtime: string): number {
    return [...this.#active.keys()].filter(({ data }) => data.runtime === runtime).length;
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
    if (this.#active.size > 0) await boss.fail(queueName, [...this.#active.keys()]).catch(onError);
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
      for (const waiting of await findWaitingUsers(this.#work.db))
        if (await this.#takeJob(waiting)) this.#isAwake = true;
    }
  }

  /** Takes the oldest job of these users. Returns false if no worker is free or other servers have taken the jobs. */
  async #takeJob({ priority, activeJobs, users }: WaitingUsers): Promise<boolean> {
    const { boss, concurrency, keptWorkers } = this.#work;
    const free = concurrency - [...this.#active.values()].filter((job) => job.priority === priority).length;
    if (this.#isStopped || free <= (activeJobs === 0 ? 0 : keptWorkers)) return false;
    if (users.every((user) => this.#served.has(user))) this.#served.clear();
    const [job] = await boss.fetch<RunJob>(queueName, {
      minPriority: priority,
      maxPriority: priority,
      groupConcurrency: activeJobs + 1,
      ignoreGroups: [...this.#served],
    });
    if (job === undefined) return false;
    this.#served.add(job.data.userId);
    this.#active.set(job, { priority, ended: this.#workOn(job) });
    return true;
  }

  async #workOn(job: Job<RunJob>): Promise<void> {
    const { boss, workOn, onError } = this.#work;
    try {
      await workOn(job.data);
      await boss.complete(queueName, job);
    } catch (error) {
      await boss.fail(queueName, job, error instanceof Error ? error : null).catch(onError);
    } finally {
      this.#active.delete(job);
      this.wake();
    }
  }
}

interface WaitingUsers {
  readonly priority: number;
  /** The number of active jobs of each of the users. */
  readonly activeJobs: number;
  readonly users: readonly string[];
}

const usersMax = 100;

/** For each priority, the users who have a job that may begin, and of these, those with the fewest active jobs. */
async function findWaitingUsers(db: Db): Promise<WaitingUsers[]> {
  const { rows } = await sql<WaitingUsers>`
    with waiting as (
      select distinct priority, group_id from pgboss.job
      where name = ${queueName} and state < 'active' and start_after <= now() and not exists (
        select from pgboss.job earlier
        where earlier.name = ${queueName} and earlier.singleton_key = job.singleton_key
          and earlier.state in ('active', 'retry', 'failed') and earlier.id <> job.id
      )
    )
    select distinct on (priority) priority, active_jobs as "activeJobs", (array_agg(group_id))[1:${usersMax}] as users
    from waiting, lateral (
      select count(*)::int as active_jobs from pgboss.job active
      where active.name = ${queueName} and active.state = 'active' and active.group_id = waiting.group_id
    ) counted
    group by priority, active_jobs
    order by priority desc, active_jobs`.execute(db);
  return rows;
}
