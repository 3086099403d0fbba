import type { Insertable } from 'kysely';
import type { TaskCountRow, Tables } from './tables.ts';
import type { InsertedTable, NewRows, Statement } from './write.ts';

// A table follows the tables that it refers to.
const tables = [
  'agents',
  'tasks',
  'task_tags',
  'comments',
  'audit_logs',
] as const satisfies readonly InsertedTable[];

/** The statements that insert the rows of several writes: one for each table. */
export function insertStatements(writes: readonly NewRows[]): Statement[] {
  const insert = writes.length === 1 ? insertStatement : insertFromJson;
  const inserts = tables.flatMap((table) => {
    const rows = writes.flatMap((each): readonly object[] => each[table] ?? []);
    return rows.length === 0 ? [] : [insert(table, rows)];
  });
  const counts = sumCounts(writes.flatMap(({ task_counts: rows = [] }) => rows));
  // Counters come last, because other writers wait for their locks.
  return counts.length === 0 ? inserts : [...inserts, insert('task_counts', counts)];
}

/** Inserts rows by their values: a distributed database sends the rows of one user to one node. */
export function insertStatement(table: keyof Tables, rows: readonly object[]): Statement {
  const columns = columnsOf(rows);
  const row = (_: unknown, n: number): string =>
    `(${columns.map((__, i) => `$${n * columns.length + i + 1}`).join(', ')})`;
  return {
    text: `insert into ${table} (${columns.join(', ')}) values ${rows.map(row).join(', ')} ${onConflict(table)}`,
    values: rows.flatMap((each): unknown[] => Object.values(each)),
  };
}

/** Inserts rows from one JSON text, so that the statement is the same for any number of rows. */
export function insertFromJson(table: keyof Tables, rows: readonly object[]): Statement {
  const columns = columnsOf(rows).join(', ');
  return {
    text: `
      insert into ${table} (${columns})
      select ${columns} from json_populate_recordset(null::${table}, $1) ${onConflict(table)}`,
    values: [JSON.stringify(rows)],
  };
}

/**
 * One row for each counter, because a statement can change a row only once. All statements lock counters in this order,
 * so that two of them never deadlock.
 */
export function sumCounts(rows: readonly Insertable<TaskCountRow>[]): Insertable<TaskCountRow>[] {
  const sums = new Map<string, Insertable<TaskCountRow>>();
  for (const row of rows) {
    const key = JSON.stringify([row.user_id, row.workspace_id, row.status, row.bucket]);
    sums.set(key, { ...row, count: row.count + (sums.get(key)?.count ?? 0) });
  }
  return [...sums].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
}

function columnsOf([first = {}]: readonly object[]): string[] {
  return Object.keys(first);
}

/** A new count is added to the stored one. */
function onConflict(table: keyof Tables): string {
  if (table !== 'task_counts') return '';
  return `
    on conflict (user_id, workspace_id, status, bucket)
    do update set count = task_counts.count + excluded.count`;
}
