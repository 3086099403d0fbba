import { PgBoss, type ConstructorOptions } from 'pg-boss';
import { databaseProblem } from './errors.ts';

/** Brings the tables of the job queue up to date. Processes that start at once wait for each other. */
export async function migrateJobs(connection: ConstructorOptions): Promise<void> {
  const boss = new PgBoss({ ...connection, supervise: false, schedule: false });
  // What goes wrong at the start is thrown; nothing goes on afterwards.
  boss.on('error', () => undefined);
  await startJobs(boss);
  await boss.stop({ graceful: false });
}

/**
 * Starts a queue and prepares it. A failure is a Problem of the database, and stops the queue: its timers and connections
 * would keep the process alive.
 */
export async function startJobs(
  boss: PgBoss,
  prepare: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  try {
    await boss.start();
    await prepare();
  } catch (error) {
    // Why the start failed matters more than what then could not be stopped.
    await boss.stop({ graceful: false }).catch(() => undefined);
    throw databaseProblem(error);
  }
}
