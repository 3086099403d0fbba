import { readConfig } from '../../../server/src/config.ts';
import { openPostgres } from '../../../server/src/db/postgres/postgres.ts';
import type { Db } from '../../../server/src/db/tables.ts';
import { newId } from '../../../server/src/ids.ts';
import { insertTask } from '../../../server/src/tasks/create.ts';
import { newTask } from '../../../server/src/tasks/task.ts';
import { run } from '../../support/postgres.ts';
import { medians, table } from './turns.ts';

const writers = [1, 8, 32];
const turnMs = 1500;

/** `POST /api/tasks` as the database sees it, by one user, with the triggers and without. */
export async function measureWrites(countedUrl: string, uncountedUrl: string): Promise<string> {
  await run(uncountedUrl, 'drop function count_task_insert() cascade');
  const config = { ...readConfig({}).database, poolSize: Math.max(...writers) };
  const databases = [uncountedUrl, countedUrl].map((url) => openPostgres(url, config));
  const rows: string[][] = [];
  for (const count of writers) {
    const contenders = databases.map(
      ({ db }) =>
        () =>
          createdPerSecond(db, count),
    );
    const [without = NaN, counted = NaN] = await medians(contenders, 9);
    rows.push([String(count), without.toFixed(0), counted.toFixed(0), (counted / without).toFixed(2)]);
  }
  await Promise.all(databases.map(({ close }) => close()));
  const head = ['at once', 'without counters', 'with counters', 'ratio'];
  return `Tasks created by one user, a second\n\n${table(head, rows)}`;
}

async function createdPerSecond(db: Db, atOnce: number): Promise<number> {
  const end = performance.now() + turnMs;
  let count = 0;
  const work = async (): Promise<void> => {
    while (performance.now() < end) {
      await create(db);
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return (count * 1000) / turnMs;
}

async function create(db: Db): Promise<void> {
  const userId = 'writer';
  const stamp = { entryId: newId(userId), actorType: 'human', actorId: userId } as const;
  await insertTask(db, { id: newId(userId), userId }, newTask({ title: 'Buy milk' }), stamp);
}
