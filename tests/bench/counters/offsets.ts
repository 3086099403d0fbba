import { readConfig } from '../../../server/src/config.ts';
import { openPostgres } from '../../../server/src/db/postgres.ts';
import { findTasks } from '../../../server/src/tasks/list.ts';
import { seedTasks } from './database.ts';
import { medians, msOf, table } from './turns.ts';

const count = 100_000;
const offsets = [0, 500, 1000, 5000, 20_000, 50_000, 99_900];

/** Pages deep in the list of a user. */
export async function measureOffsets(url: string): Promise<string> {
  await seedTasks(url, [count]);
  const { db } = openPostgres(url, readConfig({}).database);
  const list = (offset: number): Promise<unknown> =>
    findTasks(db, `user-${count}`, { sort: '-created_at', limit: 100, offset });
  const ms = await medians(
    offsets.map((offset) => () => msOf(20, () => list(offset))),
    9,
  );
  await db.destroy();
  const rows = offsets.map((offset, n) => [offset.toLocaleString('en'), (ms[n] ?? NaN).toFixed(2)]);
  return `A list of 100 out of ${count.toLocaleString('en')}\n\n${table(['offset', 'ms'], rows)}`;
}
