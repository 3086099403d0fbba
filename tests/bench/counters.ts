/**
 * `npm run bench -- counters` measures the cost of exact totals, in a temporary database on the Postgres
 * of TEST_DATABASE_URL. The default is the server on 127.0.0.1:5432.
 */
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { sql } from 'kysely';
import { readConfig } from '../../server/src/config/config.ts';
import { readPage, type List } from '../../server/src/db/list.ts';
import { openPostgres } from '../../server/src/db/postgres/postgres.ts';
import type { Db } from '../../server/src/db/tables.ts';
import { taskColumns, type Task } from '../../server/src/tasks/task.ts';
import { tasksOf } from '../../server/src/tasks/list.ts';
import { databaseUrl, run } from '../support/postgres.ts';
import { integer, table } from './markdown.ts';
import { inRounds, median } from './rounds.ts';
import { runCommand } from '../support/server-process.ts';

const server = process.env['TEST_DATABASE_URL'] ?? 'postgres://root@127.0.0.1:5432/postgres';
const name = 'worktable_bench_counters';
const counts = [100, 1000, 10_000, 100_000];
const rounds = 9;

export async function benchCounters(): Promise<void> {
  const url = databaseUrl(server, name);
  await run(server, `drop database if exists ${name} with (force)`);
  await run(server, `create database ${name}`);
  try {
    await runCommand('migrate', { DATA_DIR: tmpdir(), DATABASE_URL: url });
    await seedTasks(url);
    const { db, close } = openPostgres(url, readConfig({}).database);
    console.log(await measureTotals(db));
    await close();
  } finally {
    await run(server, `drop database ${name} with (force)`);
  }
}

/** Creates n tasks for each user `user-<n>`, in four statuses and three workspaces. */
async function seedTasks(url: string): Promise<void> {
  for (const count of counts) {
    await run(
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
  await run(url, await readFile(new URL('http/seed-derived.sql', import.meta.url), 'utf8'));
  await run(url, 'vacuum analyze');
}

/** Measures a page of 100 tasks without a total, with the server's counters, and with `count(*)`. */
async function measureTotals(db: Db): Promise<string> {
  const rows: string[][] = [];
  for (const count of counts) {
    const userId = `user-${count}`;
    const total = sql`, (select count(*)::int from tasks where user_id = ${userId}) as count`;
    const times = await medians(Math.max(10, Math.min(200, 500_000 / count)), [
      () => readPlainPage(db, userId),
      () => readPage(db, newestTasks(userId), firstPage),
      () => readPlainPage(db, userId, total),
    ]);
    const [pageOnly = NaN, ...others] = times;
    const speeds = others.map((time) => (pageOnly / time).toFixed(2));
    rows.push([integer(count), ...times.map((time) => time.toFixed(2)), ...speeds]);
  }
  const names = ['page only', 'with counters', 'with count(*)', 'speed with counters', 'speed with count(*)'];
  return table(["user's tasks; ms for a list of 100; speed relative to page only", ...names], rows);
}

const firstPage = { limit: 100, offset: 0 };

function newestTasks(userId: string): List<Task> {
  return tasksOf(userId, { sort: '-created_at', searchBytesMax: undefined });
}

/** Reads the first page of 100 tasks, with or without an additional column. */
async function readPlainPage(db: Db, userId: string, total = sql``): Promise<void> {
  const columns = sql.join(taskColumns.map((column) => sql.ref(column)));
  await sql`
    select ${columns} ${total} from tasks where user_id = ${userId}
    order by created_at desc, id desc limit ${100}`.execute(db);
}

/** The median, over alternating rounds, of the average time of each action. */
async function medians(repetitions: number, actions: readonly (() => Promise<unknown>)[]): Promise<number[]> {
  const measures = actions.map((act) => async (): Promise<number> => {
    const startMs = performance.now();
    for (let n = 0; n < repetitions; n += 1) await act();
    return (performance.now() - startMs) / repetitions;
  });
  await inRounds(1, measures);
  return (await inRounds(rounds, measures)).map(median);
}
