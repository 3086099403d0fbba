import { deleteOldSessions } from '../agents/sessions/session-store.ts';
import type { Config } from '../config/config.ts';
import { deleteExpiredKeys } from '../db/idempotency-keys.ts';
import { deleteEndedWindows } from '../db/rate-limit-store.ts';
import type { Db } from '../db/tables.ts';
import { every } from '../lib/every.ts';
import { deleteOldLogs } from '../tasks/audit-log.ts';
import { deleteEmptyCounters } from '../tasks/count.ts';

/**
 * Deletes expired idempotency keys, ended windows of rate limits, counters that are zero, and what the retention
 * settings name, at once and every hour. Returns a function that stops this.
 */
export function startCleanup(
  db: Db,
  { deletedTasksMs, sessionsMs }: Config['retention'],
  onFailure: (error: unknown) => void,
): () => Promise<void> {
  const deletions: Deletion[] = [deleteExpiredKeys, deleteEndedWindows, deleteEmptyCounters];
  if (deletedTasksMs !== undefined) deletions.push((_, max) => deleteOldLogs(db, deletedTasksMs, max));
  if (sessionsMs !== undefined) deletions.push((_, max) => deleteOldSessions(db, sessionsMs, max));
  const stopping = new AbortController();
  const { signal } = stopping;
  const deleteAll = async (): Promise<void> => {
    for (const deletion of deletions)
      try {
        // Small statements, so that each stays within its time limit. A request may replace a selected entry, so a
        // statement may delete fewer than `pieceMax` although more are left.
        while (!signal.aborted && (await deletion(db, pieceMax)) > 0);
      } catch (error) {
        onFailure(error);
      }
  };
  const ended = deleteAll().then(() => every(60 * 60_000, signal, deleteAll, onFailure));
  return () => {
    stopping.abort();
    return ended;
  };
}

/** Deletes at most `max` expired entries, and resolves to the number of deleted entries. */
type Deletion = (db: Db, max: number) => Promise<number>;

// Few rows at a time, because a statement has a time limit and the embedded database runs one at a time.
const pieceMax = 250;
