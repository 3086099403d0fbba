import { readConfig } from '../../../server/src/config/config.ts';
import { openPostgres } from '../../../server/src/db/postgres/postgres.ts';
import { timestamp } from '../../../server/src/db/timestamps.ts';
import type { Write } from '../../../server/src/db/write.ts';
import { newId } from '../../../server/src/ids.ts';
import { newTaskChange } from '../../../server/src/tasks/create.ts';
import { writeOf, type TaskChange } from '../../../server/src/tasks/task-change.ts';
import { newFields, withComputed } from '../../../server/src/tasks/task.ts';
import { medians, table } from './rounds.ts';

const writers = [1, 8, 32];
const roundMs = 1500;
const writer = { id: 'writer', name: 'Writer' };

/** The write of `POST /api/tasks` for one user, with and without its count. */
export async function measureWrites(url: string): Promise<string> {
  const config = { ...readConfig({}).database, poolSize: Math.max(...writers) };
  const { db, close } = openPostgres(url, config);
  const rows: string[][] = [];
  for (const count of writers) {
    const contenders = [uncounted, counted].map(
      (writeOf) => () => createdPerSecond(() => writeOf()(db), count),
    );
    const [without = NaN, withCount = NaN] = await medians(contenders, 9);
    rows.push([String(count), without.toFixed(0), withCount.toFixed(0), (withCount / without).toFixed(2)]);
  }
  await close();
  const head = ['concurrency', 'without counters', 'with counters', 'ratio'];
  return `Tasks created by one user per second\n\n${table(head, rows)}`;
}

async function createdPerSecond(create: () => Promise<void>, concurrency: number): Promise<number> {
  const end = performance.now() + roundMs;
  let count = 0;
  const runWriter = async (): Promise<void> => {
    while (performance.now() < end) {
      await create();
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, runWriter));
  return (count * 1000) / roundMs;
}

function counted(): Write {
  return writeOf(newTask());
}

function uncounted(): Write {
  return writeOf({ ...newTask(), counts: [] });
}

function newTask(): TaskChange {
  const at = timestamp();
  const fields = { ...newFields({ title: 'Buy milk' }), id: newId(), user_id: writer.id };
  return newTaskChange(
    writer,
    withComputed({ ...fields, created_at: at, updated_at: at, etag: '"1"' }, undefined, at),
  );
}
