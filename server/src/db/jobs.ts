import { PgBoss, type ConstructorOptions } from 'pg-boss';

/** Brings the tables of the job queue up to date. Processes that start at once wait for each other. */
export async function migrateJobs(connection: ConstructorOptions): Promise<void> {
  const boss = new PgBoss({ ...connection, supervise: false, schedule: false });
  // What goes wrong at the start is thrown; nothing goes on afterwards.
  boss.on('error', () => undefined);
  await boss.start();
  await boss.stop({ graceful: false });
}
