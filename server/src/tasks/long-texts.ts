import { sql, type RawBuilder } from 'kysely';
import { pageBytesMax } from '../db/page.ts';
import type { Schemas } from '../operations.ts';
import { taskColumns } from './store.ts';

/** The columns of a task that can be long. */
export const longTexts = ['description', 'metadata'] as const satisfies readonly (keyof Schemas['Task'])[];

/** The columns of a task, without texts of which a page of so many tasks could grow too large. */
export function columnsWithoutLong(limit: number): RawBuilder<unknown> {
  const bytesMax = Math.floor(pageBytesMax / longTexts.length / Math.max(1, limit));
  return sql.join(
    taskColumns.map((name) => {
      const column = sql.ref(name);
      return longTexts.some((long) => long === name)
        ? sql`case when octet_length(${column}) > ${bytesMax}::int then ${sql.lit(withheld)} else ${column} end as ${column}`
        : column;
    }),
  );
}

/** Whether a text of the task was left out. */
export function lacksText(task: Schemas['Task']): boolean {
  return longTexts.some((name) => task[name] === withheld);
}

// An empty text is stored as null, so this stands for one that is there.
const withheld = '';
