import { sql } from 'kysely';
import type { Db } from '../../../server/src/db/tables.ts';
import { taskColumns } from '../../../server/src/tasks/columns.ts';

interface Page {
  readonly userId: string;
  readonly offset?: number;
  /** An additional column. */
  readonly total?: ReturnType<typeof sql>;
}

/** Reads a page of 100 tasks with `limit` and `offset`. */
export async function plainPage(db: Db, { userId, offset = 0, total = sql`` }: Page): Promise<void> {
  const statement = sql`
    select ${sql.join(taskColumns.map((name) => sql.ref(name)))} ${total}
    from tasks where user_id = ${userId} order by created_at desc, id desc limit ${100} offset ${offset}`;
  await statement.execute(db);
}
