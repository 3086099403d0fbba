import { sql, type RawBuilder } from 'kysely';
import { pageBytesMax } from '../db/page-size-limit.ts';
import { timestampFromPostgres } from '../db/timestamps.ts';
import type { Schemas } from '../operation.ts';
import { longColumns, taskColumns } from './find-task.ts';

/**
 * The tasks of a page as one text: their values, one after the other. The driver needs a fifth of the time that it needs
 * to read them value by value.
 */
export interface PackedTasks {
  /** The number of tasks. */
  readonly length: number;
  readonly packed: string | null;
}

/** ASCII's "unit separator", which few texts contain. */
const separator = '\x1f';

/** Columns for a query on tasks that return its rows as `PackedTasks`. */
export function packedColumns(limit: number): RawBuilder<unknown> {
  const values = sql.join(taskColumns.map((name) => sql`coalesce(${packable(name, limit)}::text, '')`));
  return sql`count(*)::int as length,
    string_agg(concat_ws(${sql.lit(separator)}, ${values}), ${sql.lit(separator)}) as packed`;
}

/** A text that is too long for a page of this many tasks becomes a separator, so that `unpackTasks` rejects the page. */
function packable(name: (typeof taskColumns)[number], limit: number): RawBuilder<unknown> {
  const column = sql`${sql.ref(name)}`;
  if (!longColumns.some((long) => long === name)) return column;
  const bytesMax = Math.floor(pageBytesMax / longColumns.length / Math.max(1, limit));
  return sql`case when octet_length(${column}) > ${bytesMax}::int then ${sql.lit(separator)} else ${column} end`;
}

/** The tasks; undefined if a text contains the separator or was too long, so that the values cannot be separated. */
export function unpackTasks({ length, packed }: PackedTasks): Schemas['Task'][] | undefined {
  const values = packed === null ? [] : packed.split(separator);
  const width = taskColumns.length;
  if (values.length !== length * width) return undefined;
  return Array.from({ length }, (_, i) => taskFromTexts(values, i * width));
}

/** An empty text stands for null, because no column stores an empty text. */
function taskFromTexts(values: readonly string[], start: number): Schemas['Task'] {
  const task: Record<string, string | null> = {};
  taskColumns.forEach((name, i) => {
    const value = values[start + i] ?? '';
    task[name] = value === '' ? null : isTimestamp(name) ? timestampFromPostgres(value) : value;
  });
  // The columns are the fields of a task, and the columns that are never null have a value in each row.
  return task as Schemas['Task'];
}

function isTimestamp(name: string): boolean {
  return name === 'created_at' || name === 'updated_at';
}
