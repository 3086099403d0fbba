import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../db/tables.ts';
import type { Schemas } from '../operations.ts';
import { countOf } from './count.ts';
import { conditionsOf, type TaskQuery } from './filters.ts';
import { taskColumns } from './store.ts';

/** One page of the user's tasks and the number of all that match, both as they were at one moment. */
export async function findTasks(db: Db, userId: string, query: TaskQuery): Promise<Schemas['TaskList']> {
  const count = countOf(userId, query);
  const statement = sql<Schemas['Task'] & { count: number }>`
    select ${columns}, (${count}) as count
    from tasks
    where ${conditionsOf(userId, query)}
    order by ${orders[query.sort]}
    limit ${query.limit} offset ${query.offset}`;
  const { rows } = await statement.execute(db);
  const [first] = rows;
  if (first !== undefined) return { tasks: rows.map(({ count, ...task }) => task), count: first.count };
  const total = await countTasks(db, count);
  // Where tasks have come between the two statements, the page may not be empty any more.
  return query.limit === 0 || total <= query.offset
    ? { tasks: [], count: total }
    : findTasks(db, userId, query);
}

async function countTasks(db: Db, count: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select (${count}) as count`.execute(db);
  return rows[0]?.count ?? 0;
}

const columns = sql.join(taskColumns.map((name) => sql.ref(name)));

// Each order is total, so that pages neither overlap nor leave gaps.
const orders: Record<TaskQuery['sort'], RawBuilder<unknown>> = {
  created_at: sql`created_at, id`,
  '-created_at': sql`created_at desc, id desc`,
  updated_at: sql`updated_at, id`,
  '-updated_at': sql`updated_at desc, id desc`,
  due_date: sql`due_at nulls last, id`,
  '-due_date': sql`due_at desc nulls last, id desc`,
  title: sql`lower(title), id`,
  '-title': sql`lower(title) desc, id desc`,
};
