import { sql } from 'kysely';
import { readConfig } from '../../../server/src/config/config.ts';
import { openPostgres } from '../../../server/src/db/postgres/postgres.ts';
import type { Db } from '../../../server/src/db/tables.ts';
import { findTasks } from '../../../server/src/tasks/list.ts';
import { seedTasks } from './database.ts';
import { plainPage } from './plain-page.ts';
import { averageMs, medians, table } from './rounds.ts';

const counts = [100, 1000, 10_000, 100_000];

/** A page of 100 tasks: without a total, with the server's counters, and with `count(*)`. */
export async function measureLists(url: string): Promise<string> {
  await seedTasks(url, counts);
  const { db, close } = openPostgres(url, readConfig({}).database);
  const rows: string[][] = [];
  for (const count of counts) rows.push(await rowOf(db, count));
  await close();
  const head = ['tasks of the user', 'page only', 'with counters', 'with count(*)', 'counters', 'count(*)'];
  return `A list of 100: milliseconds, and the speed relative to the page only\n\n${table(head, rows)}`;
}

async function rowOf(db: Db, count: number): Promise<string[]> {
  const userId = `user-${count}`;
  const repetitions = Math.max(10, Math.min(200, 500_000 / count));
  const total = sql`, (select count(*)::int from tasks where user_id = ${userId}) as count`;
  const contenders = [
    () => plainPage(db, { userId }),
    () => findTasks(db, userId, { sort: '-created_at', searchBytesMax: undefined, limit: 100, offset: 0 }),
    () => plainPage(db, { userId, total }),
  ].map((act) => () => averageMs(repetitions, act));
  const [pageOnly = NaN, counters = NaN, counted = NaN] = await medians(contenders, 9);
  return [
    count.toLocaleString('en'),
    ...[pageOnly, counters, counted].map((ms) => ms.toFixed(2)),
    (pageOnly / counters).toFixed(2),
    (pageOnly / counted).toFixed(2),
  ];
}
