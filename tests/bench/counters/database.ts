import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { migrateByCommand } from '../../support/migrate.ts';
import { databaseUrl, run as query } from '../../support/postgres.ts';

const server = process.env['TEST_DATABASE_URL'] ?? 'postgres://root@127.0.0.1:5432/postgres';

/** Creates a migrated database for `use`, and drops it afterwards. */
export async function withDatabase<Result>(
  name: string,
  use: (url: string) => Promise<Result>,
): Promise<Result> {
  const url = databaseUrl(server, name);
  await query(server, `drop database if exists ${name} with (force)`);
  await query(server, `create database ${name}`);
  try {
    await migrateByCommand({ DATA_DIR: tmpdir(), DATABASE_URL: url });
    return await use(url);
  } finally {
    await query(server, `drop database ${name} with (force)`);
  }
}

/** For each count n, creates n tasks of the user `user-<count>`, in four statuses and three workspaces. */
export async function seedTasks(url: string, counts: readonly number[]): Promise<void> {
  for (const count of counts) {
    await query(
      url,
      `insert into tasks
         (id, user_id, workspace_id, title, description, status, priority, created_at, updated_at, etag)
       select gen_random_uuid(), 'user-${count}', (array['home', 'work', null])[1 + n % 3], 'Task number ' || n,
         'A description of a few words, as it may stand in task ' || n,
         (array['todo', 'in_progress', 'blocked', 'done'])[1 + n % 4], 'none',
         timestamptz '2026-01-01' + n * interval '1 second', timestamptz '2026-01-01' + n * interval '1 second',
         '"' || n || '"'
       from generate_series(1, ${count}) n`,
    );
  }
  await query(url, await readFile(new URL('../http/seed-derived.sql', import.meta.url), 'utf8'));
  await query(url, 'vacuum analyze');
}
