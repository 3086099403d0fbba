import { sql } from 'kysely';
import { limitPageBytes } from '../db/page-size-limit.ts';
import { dynamic } from '../db/postgres/prepared-statements.ts';
import type { Db } from '../db/tables.ts';
import type { Schemas } from '../operation.ts';
import { countOf } from './count.ts';
import type { TaskQuery } from './filters.ts';
import { flatColumns, tasksFromFlat, type FlatPage } from './packed-rows.ts';
import { orders, tasksOnPage } from './page-query.ts';
import { longTexts, taskColumns } from './find-task.ts';

/** One page of the user's tasks and the number of all that match, both as they were at one moment. */
export async function findTasks(db: Db, userId: string, query: TaskQuery): Promise<Schemas['TaskList']> {
  const columns = sql.join(taskColumns.map((name) => sql.ref(name)));
  const { rows } = await sql<FlatPage & { count: number }>`${dynamic}
    select ${flatColumns(query.limit)}, (${countOf(userId, query)}) as count
    from (${tasksOnPage(columns, userId, query)}) page`.execute(db);
  const [page] = rows;
  if (page === undefined) throw new Error('An aggregate returned no row.');
  const tasks = tasksFromFlat(page);
  return tasks === undefined ? findLongTasks(db, userId, query) : { tasks, count: page.count };
}

/** The same by rows, as many as the page's bytes allow. To add up the bytes would cost each list a third of its speed. */
async function findLongTasks(db: Db, userId: string, query: TaskQuery): Promise<Schemas['TaskList']> {
  const entries = sql`
    select *, (${countOf(userId, query)}) as count from (${tasksOnPage(sql`*`, userId, query)}) entries`;
  const page = limitPageBytes({
    entries,
    columns: [...taskColumns, 'count'],
    texts: longTexts,
    order: orders[query.sort],
  });
  const { rows } = await sql<Schemas['Task'] & { count: number }>`${dynamic}${page}`.execute(db);
  const [first] = rows;
  // Where the tasks have gone between the two statements, how many there are is for the first one to tell.
  if (first === undefined) return findTasks(db, userId, query);
  return { tasks: rows.map(({ count, ...task }) => task), count: first.count };
}
