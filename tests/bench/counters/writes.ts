import { readConfig } from '../../../server/src/config.ts';
import { openPostgres } from '../../../server/src/db/postgres/postgres.ts';
import type { Db } from '../../../server/src/db/tables.ts';
import { newId } from '../../../server/src/ids.ts';
import { insertTask } from '../../../server/src/tasks/create.ts';
import { newTask } from '../../../server/src/tasks/task.ts';
import { run as query } from '../../support/postgres.ts';
import { medians, table } from './rounds.ts';

const writers = [1, 8, 32];
const roundMs = 1500;

/** The statement of `POST /api/tasks`, for one user, with and without the counting triggers. */
export async function measureWrites(countedUrl: string, uncountedUrl: string): Promise<string> {
  await query(uncountedUrl, 'drop function count_task_insert() cascade');
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
  const head = ['concurrency', 'without counters', 'with counters', 'ratio'];
  return `Tasks created by one user per second\n\n${table(head, rows)}`;
}

async function createdPerSecond(db: Db, concurrency: number): Promise<number> {
  const end = performance.now() + roundMs;
  let count = 0;
  const runWriter = async (): Promise<void> => {
    while (performance.now() < end) {
      await create(db);
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, runWriter));
  return (count * 1000) / roundMs;
}

async function create(db: Db): Promise<void> {
  const userId = 'writer';
  const auditContext = { entryId: newId(userId), actorType: 'human', actorId: userId } as const;
  await insertTask(db, { id: newId(userId), userId }, newTask({ title: 'Buy milk' }), auditContext);
}
