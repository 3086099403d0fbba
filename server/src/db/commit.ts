import { batch } from './batch.ts';
import { keyStatements } from './idempotency-keys.ts';
import { insertStatements } from './insert.ts';
import type { Commit, Statement, Transact, Write } from './write.ts';

/** Commits each write in one round trip. */
export function createCommit(transact: Transact): Commit {
  return async (write) => {
    await transact(statementsOf([write]));
  };
}

/**
 * Commits each write in one round trip. Concurrent writes that only insert rows are committed together, like a database's
 * group commit: the round trip, the locks of counters and the write to disk happen once for all of them. Not for a
 * distributed database, where the rows of several users are on several nodes.
 */
export function createGroupCommit(transact: Transact): Commit {
  const commitAlone = createCommit(transact);
  const commitRows = batch<Write>(
    async (writes) => {
      await transact(writes.length === 1 ? statementsOf(writes) : [shortLocks, ...statementsOf(writes)]);
    },
    // Two short batches at a time: Postgres commits one while this process prepares and answers others.
    { activeMax: 2, itemsMax: 12, countsForMs: 100, sizeMax: 500_000, sizeOf },
  );
  return async (write) => {
    if (write.statements === undefined) await commitRows(write);
    else await commitAlone(write);
  };
}

/** The statements of one write, or of several that only insert rows. */
export function statementsOf(writes: readonly Write[]): Statement[] {
  return [
    ...keyStatements(writes),
    ...writes.flatMap(({ statements = [] }) => statements),
    ...insertStatements(writes.map(({ rows = {} }) => rows)),
  ];
}

// Rows lock the counters of their user. A batch must not wait long for the lock of one of its users; after this time each
// of its writes is committed on its own.
const shortLocks: Statement = { text: `select set_config('lock_timeout', '50ms', true)`, values: [] };

/** The approximate number of characters. */
function sizeOf({ key, rows = {} }: Write): number {
  let size = 0;
  for (const row of [key ?? {}, ...Object.values(rows).flat()]) {
    for (const value of Object.values(row)) size += typeof value === 'string' ? value.length : 10;
  }
  return size;
}
