import { PgBoss, type ConstructorOptions } from 'pg-boss';
import { databaseProblem } from './failures.ts';

/** Brings the tables of the job queue up to date. Processes that start at once wait for each other. */
export async function migrateJobs(connection: ConstructorOptions): Promise<void> {
  const boss = new PgBoss({ ...connection, supervise: false, schedule: false });
  // What goes wrong at the start is thrown; nothing goes on afterwards.
  boss.on('error', () => undefined);
  await startJobs(boss);
  await boss.stop({ graceful: false });
}

/** Starts a queue; that it cannot start is a Problem of the database. */
export async function startJobs(boss: PgBoss): Promise<void> {
  await boss.start().catch((error: unknown) => {
    throw databaseProblem(error);
  });
}
