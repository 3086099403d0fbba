import { sql, type RawBuilder } from 'kysely';
import { pageBytesMax } from '../db/page-size-limit.ts';
import { timestampFromPostgres } from '../db/timestamps.ts';
import type { Schemas } from '../operation.ts';
import { longTexts, taskColumns } from './find-task.ts';

/**
 * The tasks of a page as one text: their values one behind the other. The driver reads that at a fifth of what it costs
 * to read them one by one.
 */
export interface FlatPage {
  /** How many tasks there are. */
  readonly length: number;
  readonly flat: string | null;
}

/** ASCII's "unit separator", which few texts have. */
const separator = '\x1f';

/** Columns for a query on tasks that make its rows a `FlatPage`. */
export function flatColumns(limit: number): RawBuilder<unknown> {
  const values = sql.join(taskColumns.map((name) => sql`coalesce(${readable(name, limit)}::text, '')`));
  return sql`count(*)::int as length,
    string_agg(concat_ws(${sql.lit(separator)}, ${values}), ${sql.lit(separator)}) as flat`;
}

/** A text of which a page of so many tasks could grow too large is not read: what stands for it spoils the page. */
function readable(name: (typeof taskColumns)[number], limit: number): RawBuilder<unknown> {
  const column = sql`${sql.ref(name)}`;
  if (!longTexts.some((long) => long === name)) return column;
  const bytesMax = Math.floor(pageBytesMax / longTexts.length / Math.max(1, limit));
  return sql`case when octet_length(${column}) > ${bytesMax}::int then ${sql.lit(separator)} else ${column} end`;
}

/** The tasks; undefined if a text holds the separator or was too long, so that nobody can tell the values apart. */
export function tasksFromFlat({ length, flat }: FlatPage): Schemas['Task'][] | undefined {
  const values = flat === null ? [] : flat.split(separator);
  const width = taskColumns.length;
  if (values.length !== length * width) return undefined;
  return Array.from({ length }, (_, i) => taskFromTexts(values, i * width));
}

/** An empty text stands for null, as which it is stored. */
function taskFromTexts(values: readonly string[], start: number): Schemas['Task'] {
  const task: Record<string, string | null> = {};
  taskColumns.forEach((name, i) => {
    const value = values[start + i] ?? '';
    task[name] = value === '' ? null : isTime(name) ? timestampFromPostgres(value) : value;
  });
  // The columns are the fields of a task, and what is never null has a value in each row.
  return task as Schemas['Task'];
}

function isTime(name: string): boolean {
  return name === 'created_at' || name === 'updated_at';
}
