import { sql } from 'kysely';
import { limitPageBytes } from '../db/page-size-limit.ts';
import type { Db } from '../db/tables.ts';
import type { Schemas } from '../operation.ts';
import type { Page } from '../paging.ts';
import { countOf } from './count.ts';
import type { TaskQuery } from './filters.ts';
import { longColumns, taskColumns } from './find-task.ts';
import { packedColumns, unpackTasks, type PackedTasks } from './packed-rows.ts';
import { orders, positionOf } from './order.ts';
import { tasksOnPage } from './page-query.ts';

type Task = Schemas['Task'];

/** A page of a list, and the number of all entries of the list. */
interface CountedPage extends Page<Task> {
  readonly count: number;
}

/** One page of the user's tasks and the number of all tasks that match, from one snapshot. */
export async function findTasks(db: Db, userId: string, query: TaskQuery): Promise<CountedPage> {
  const columns = sql.join(taskColumns.map((name) => sql.ref(name)));
  const oneMore = withOneMore(query);
  const { rows } = await sql<PackedTasks & { count: number }>`
    select ${packedColumns(oneMore.limit)}, (${countOf(userId, query)}) as count
    from (${tasksOnPage(columns, userId, oneMore)}) page`.execute(db);
  const [page] = rows;
  if (page === undefined) throw new Error('An aggregate returned no row.');
  const tasks = unpackTasks(page);
  if (tasks === undefined) return findLongTasks(db, userId, query);
  return countedPage(query, { tasks, found: tasks.length, count: page.count });
}

/**
 * The same page, read row by row and limited to the bytes of a page. Adding up the bytes would cost every list a third
 * of its speed.
 */
async function findLongTasks(db: Db, userId: string, query: TaskQuery): Promise<CountedPage> {
  const onPage = tasksOnPage(sql`*`, userId, withOneMore(query));
  const page = limitPageBytes({
    entries: sql`select *, (${countOf(userId, query)}) as count from (${onPage}) entries`,
    columns: [...taskColumns, 'count', 'found'],
    texts: longColumns,
    order: orders[query.sort],
  });
  const { rows } = await sql<Task & { count: number; found: number }>`${page}`.execute(db);
  const [first] = rows;
  // The tasks were deleted between the two statements, so repeat the first one, which returns a count without tasks.
  if (first === undefined) return findTasks(db, userId, query);
  return countedPage(query, {
    tasks: rows.map(({ count, found, ...task }) => task),
    found: first.found,
    count: first.count,
  });
}

/** One task more than the limit shows whether a next page exists. */
function withOneMore(query: TaskQuery): TaskQuery {
  return { ...query, limit: query.limit + 1 };
}

interface Found {
  readonly tasks: Task[];
  /** The number of tasks before the page was limited to its bytes. */
  readonly found: number;
  readonly count: number;
}

function countedPage({ sort, limit }: TaskQuery, { tasks, found, count }: Found): CountedPage {
  const entries = tasks.slice(0, limit);
  const last = entries.at(-1);
  const hasNext = last !== undefined && found > entries.length;
  return { entries, count, next: hasNext ? positionOf(sort, last) : undefined };
}
