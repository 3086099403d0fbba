import { CompiledQuery } from 'kysely';
import type { Db } from './tables.ts';

/** The part of a pool that rate-limiter-flexible uses. */
export interface RateLimitStore {
  query(statement: { text: string; values: unknown[] }): Promise<{ rows: unknown[]; rowCount: number }>;
}

export function openRateLimitStore(db: Db): RateLimitStore {
  return {
    query: async ({ text, values }) => {
      const { rows } = await db.executeQuery(CompiledQuery.raw(text, values));
      return { rows, rowCount: rows.length };
    },
  };
}
