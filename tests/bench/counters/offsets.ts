import { readConfig } from '../../../server/src/config/config.ts';
import { openPostgres } from '../../../server/src/db/postgres/postgres.ts';
import type { Db } from '../../../server/src/db/tables.ts';
import { findTasks } from '../../../server/src/tasks/list.ts';
import { seedTasks } from './database.ts';
import { plainPage } from './plain-page.ts';
import { averageMs, medians, table } from './rounds.ts';

const count = 100_000;
const offsets = [0, 500, 1000, 5000, 20_000, 50_000, 99_900];

/**
 * Pages deep in the list of a user: with a plain `offset`, and as the server reads them by offset and by cursor, with the
 * exact total.
 */
export async function measureOffsets(url: string): Promise<string> {
  await seedTasks(url, [count]);
  const { db, close } = openPostgres(url, readConfig({}).database);
  const rows: string[][] = [];
  for (const offset of offsets) rows.push(await rowOf(db, offset));
  await close();
  const head = ['offset', 'page only', 'by keys, with counters', 'by cursor, with counters', 'ratio'];
  return `A list of 100 out of ${count.toLocaleString('en')}: milliseconds\n\n${table(head, rows)}`;
}

async function rowOf(db: Db, offset: number): Promise<string[]> {
  const userId = `user-${count}`;
  const last = { sort: '-created_at', searchBytesMax: undefined, limit: 1, offset: offset - 1 } as const;
  const after = offset === 0 ? undefined : (await findTasks(db, userId, last)).next;
  const contenders = [
    () => plainPage(db, { userId, offset }),
    () => findTasks(db, userId, { sort: '-created_at', searchBytesMax: undefined, limit: 100, offset }),
    () =>
      findTasks(db, userId, { sort: '-created_at', searchBytesMax: undefined, limit: 100, offset: 0, after }),
  ].map((act) => () => averageMs(20, act));
  const [plain = NaN, byKeys = NaN, byCursor = NaN] = await medians(contenders, 9);
  return [
    offset.toLocaleString('en'),
    ...[plain, byKeys, byCursor].map((ms) => ms.toFixed(2)),
    (plain / byKeys).toFixed(2),
  ];
}
