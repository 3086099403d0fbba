import { PgBoss, type ConstructorOptions } from 'pg-boss';
import { databaseProblem } from './errors.ts';

/** Updates the tables of the job queue. Processes that start at the same time wait for each other. */
export async function migrateJobs(connection: ConstructorOptions): Promise<void> {
  const boss = new PgBoss({ ...connection, supervise: false, schedule: false });
  // `start` rejects with the same errors, and nothing else happens on this instance.
  boss.on('error', () => undefined);
  await startJobs(boss);
  await boss.stop({ graceful: false });
}

/**
 * Starts a queue and prepares it. On failure, throws a Problem of the database and stops the queue, because its timers
 * and connections would keep the process alive.
 */
export async function startJobs(
  boss: PgBoss,
  prepare: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  try {
    await boss.start();
    await prepare();
  } catch (error) {
    // Report the failed start rather than a failure to stop.
    await boss.stop({ graceful: false }).catch(() => undefined);
    throw databaseProblem(error);
  }
}
