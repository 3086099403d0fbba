/**
 * `npm run bench -- counters`: the cost of the exact total for lists and for writes. Uses temporary databases on the
 * Postgres of TEST_DATABASE_URL, by default the one on 127.0.0.1:5432.
 */
import { availableParallelism } from 'node:os';
import { withDatabase } from './database.ts';
import { measureLists } from './lists.ts';
import { measureOffsets } from './offsets.ts';
import { measureWrites } from './writes.ts';

const parts: Readonly<Record<string, () => Promise<string>>> = {
  lists: () => withDatabase('worktable_bench_lists', measureLists),
  offsets: () => withDatabase('worktable_bench_offsets', measureOffsets),
  writes: () => withDatabase('worktable_bench_writes', measureWrites),
};

export async function benchCounters(only?: string): Promise<void> {
  console.log(
    `Medians of alternating rounds, on ${availableParallelism()} cores shared with the database.\n`,
  );
  for (const [name, measure] of Object.entries(parts)) {
    if (only === undefined || only === name) console.log(await measure());
  }
}
