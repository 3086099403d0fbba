import { sql } from 'kysely';
import { withinBudget } from '../db/page.ts';
import type { Db } from '../db/tables.ts';
import type { Schemas } from '../operations.ts';
import { countOf } from './count.ts';
import type { TaskQuery } from './filters.ts';
import { columnsWithoutLong, lacksText, longTexts } from './long-texts.ts';
import { orders, pageRestriction } from './page.ts';
import { taskColumns } from './store.ts';

type ListedTask = Schemas['Task'] & { count: number };

/** One page of the user's tasks and the number of all that match, both as they were at one moment. */
export async function findTasks(db: Db, userId: string, query: TaskQuery): Promise<Schemas['TaskList']> {
  const rows = await readTasks(db, userId, query);
  const [first] = rows;
  if (first !== undefined) return { tasks: rows.map(({ count, ...task }) => task), count: first.count };
  const total = await countTasks(db, userId, query);
  // Where tasks have come between the two statements, the page may not be empty any more.
  return query.limit === 0 || total <= query.offset
    ? { tasks: [], count: total }
    : findTasks(db, userId, query);
}

/** Adding up the bytes of a page would cost each list a third of its speed, so it is done where a text is long. */
async function readTasks(db: Db, userId: string, query: TaskQuery): Promise<ListedTask[]> {
  const count = sql`(${countOf(userId, query)}) as count`;
  const restriction = pageRestriction(userId, query);
  const short = sql<ListedTask>`select ${columnsWithoutLong(query.limit)}, ${count} from tasks ${restriction}`;
  const { rows } = await short.execute(db);
  if (!rows.some(lacksText)) return rows;
  const entries = sql`select *, ${count} from tasks ${restriction}`;
  const page = withinBudget({
    entries,
    columns: [...taskColumns, 'count'],
    texts: longTexts,
    order: orders[query.sort],
  });
  return (await sql<ListedTask>`${page}`.execute(db)).rows;
}

async function countTasks(db: Db, userId: string, query: TaskQuery): Promise<number> {
  const { rows } = await sql<{ count: number }>`select (${countOf(userId, query)}) as count`.execute(db);
  return rows[0]?.count ?? 0;
}
