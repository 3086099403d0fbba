import { sql } from 'kysely';
import { readConfig } from '../../../server/src/config/config.ts';
import { readPage } from '../../../server/src/db/list.ts';
import { openPostgres } from '../../../server/src/db/postgres/postgres.ts';
import type { Db } from '../../../server/src/db/tables.ts';
import { taskColumns } from '../../../server/src/tasks/task.ts';
import { tasksOf } from '../../../server/src/tasks/list.ts';
import { integer, table } from '../markdown.ts';
import { inRounds, median } from '../rounds.ts';
import { databaseUrl } from './database.ts';
import { sizes } from './lists.ts';

const rounds = 9;

/** Measures a page of 100 tasks without a total, with the server's counters, and with `count(*)`. */
export async function measureCounters(): Promise<string> {
  const { db, close } = openPostgres(databaseUrl, readConfig({}).database);
  const rows: string[][] = [];
  for (const [userId, count] of Object.entries(sizes)) {
    const total = sql`, (select count(*)::int from tasks where user_id = ${userId}) as count`;
    const newestTasks = tasksOf(userId, { sort: '-created_at', searchBytesMax: undefined });
    const times = await medians(Math.max(10, Math.min(200, 500_000 / count)), [
      () => readPlainPage(db, userId),
      () => readPage(db, newestTasks, { limit: 100, offset: 0 }),
      () => readPlainPage(db, userId, total),
    ]);
    const [pageOnly = NaN, ...others] = times;
    const speeds = others.map((time) => (pageOnly / time).toFixed(2));
    rows.push([integer(count), ...times.map((time) => time.toFixed(2)), ...speeds]);
  }
  await close();
  const names = ['page only', 'with counters', 'with count(*)', 'speed with counters', 'speed with count(*)'];
  return table(["user's tasks; ms for a list of 100; speed relative to page only", ...names], rows);
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
