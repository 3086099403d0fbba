import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../db/tables.ts';
import type { Call, Schemas } from '../operations.ts';
import { taskColumns } from './store.ts';

/** What a list is asked for, with moments as timestamps. */
export type TaskQuery = Call<'listTasks'>['query'];

/** One page of the user's tasks and the number of all that match, in one statement unless the page is empty. */
export async function findTasks(db: Db, userId: string, query: TaskQuery): Promise<Schemas['TaskList']> {
  const conditions = sql.join(conditionsOf(userId, query), sql` and `);
  const statement = sql<Schemas['Task'] & { count: number }>`
    select ${columns}, (select count(*)::int from tasks where ${conditions}) as count
    from tasks
    where ${conditions}
    order by ${orders[query.sort]}
    limit ${query.limit} offset ${query.offset}`;
  const { rows } = await statement.execute(db);
  const [first] = rows;
  if (first === undefined) return { tasks: [], count: await countTasks(db, conditions) };
  return { tasks: rows.map(({ count, ...task }) => task), count: first.count };
}

async function countTasks(db: Db, conditions: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{
    count: number;
  }>`select count(*)::int as count from tasks where ${conditions}`.execute(db);
  return rows[0]?.count ?? 0;
}

function conditionsOf(userId: string, query: TaskQuery): RawBuilder<unknown>[] {
  const statuses = query.status?.filter((status) => status !== '') ?? [];
  return [
    sql`user_id = ${userId}`,
    ...(statuses.length === 0 ? [] : [sql`status = any(${statuses}::text[])`]),
    ...given(query.workspace_id, (value) => sql`workspace_id = ${value}`),
    ...given(query.priority, (value) => sql`priority = ${value}`),
    ...given(query.assignee_id, (value) => sql`assignee_id = ${value}`),
    ...given(query.assignee_type, (value) => sql`assignee_type = ${value}`),
    ...given(query.tag, (value) => sql`${value} = any(tag_list)`),
    ...given(query.due_before, (value) => sql`due_at < ${value}::timestamptz`),
    ...given(query.due_after, (value) => sql`due_at >= ${value}::timestamptz`),
    ...given(query.updated_since, (value) => sql`updated_at >= ${value}::timestamptz`),
    ...given(
      query.q,
      (value) => sql`(title ilike ${containing(value)} or description ilike ${containing(value)})`,
    ),
  ];
}

/** No condition for an absent or empty value. */
function given(
  value: string | undefined,
  condition: (value: string) => RawBuilder<unknown>,
): RawBuilder<unknown>[] {
  return value === undefined || value === '' ? [] : [condition(value)];
}

function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
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
