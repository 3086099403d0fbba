import { limitPageBytes, readPage } from '../db/page-size-limit.ts';
import type { Db } from '../db/tables.ts';
import type { Page } from '../paging.ts';
import { countOf } from './count.ts';
import type { TaskQuery } from './filters.ts';
import { longColumns, taskColumns, type Task } from './columns.ts';
import { orderBy, positionOf } from './order.ts';
import { tasksOnPage } from './page-query.ts';

interface CountedPage extends Page<Task> {
  readonly count: number;
}

/** One page of the user's tasks and the number of all tasks that match, from one snapshot. */
export function findTasks(db: Db, userId: string, query: TaskQuery): Promise<CountedPage> {
  const page = limitPageBytes({
    // One task more than the limit shows whether a next page exists.
    entries: tasksOnPage(userId, { ...query, limit: query.limit + 1 }),
    columns: taskColumns,
    texts: longColumns,
    order: orderBy(query.sort),
    total: countOf(userId, query),
  });
  return readPage<Task>(db, page, query, (task) => positionOf(query.sort, task));
}
