import { sql } from 'kysely';
import { limitPageBytes } from '../db/page-size-limit.ts';
import type { Db } from '../db/tables.ts';
import type { Schemas } from '../operation.ts';
import { countOf } from './count.ts';
import type { TaskQuery } from './filters.ts';
import { longColumns, taskColumns } from './find-task.ts';
import { packedColumns, unpackTasks, type PackedTasks } from './packed-rows.ts';
import { orders, tasksOnPage } from './page-query.ts';

/** One page of the user's tasks and the number of all tasks that match, from one snapshot. */
export async function findTasks(db: Db, userId: string, query: TaskQuery): Promise<Schemas['TaskList']> {
  const columns = sql.join(taskColumns.map((name) => sql.ref(name)));
  const { rows } = await sql<PackedTasks & { count: number }>`
    select ${packedColumns(query.limit)}, (${countOf(userId, query)}) as count
    from (${tasksOnPage(columns, userId, query)}) page`.execute(db);
  const [page] = rows;
  if (page === undefined) throw new Error('An aggregate returned no row.');
  const tasks = unpackTasks(page);
  return tasks === undefined ? findLongTasks(db, userId, query) : { tasks, count: page.count };
}

/**
 * The same page, read row by row and limited to the bytes of a page. Adding up the bytes would cost every list a third
 * of its speed.
 */
async function findLongTasks(db: Db, userId: string, query: TaskQuery): Promise<Schemas['TaskList']> {
  const entries = sql`
    select *, (${countOf(userId, query)}) as count from (${tasksOnPage(sql`*`, userId, query)}) entries`;
  const page = limitPageBytes({
    entries,
    columns: [...taskColumns, 'count'],
    texts: longColumns,
    order: orders[query.sort],
  });
  const { rows } = await sql<Schemas['Task'] & { count: number }>`${page}`.execute(db);
  const [first] = rows;
  // The tasks were deleted between the two statements, so repeat the first one, which returns a count without tasks.
  if (first === undefined) return findTasks(db, userId, query);
  return { tasks: rows.map(({ count, ...task }) => task), count: first.count };
}
