import { every } from '../lib/every.ts';
import { hasSqlState } from './errors.ts';

/** Deletes at most `max` expired entries, and resolves to the number of deleted entries. */
export type DeleteExpired = (max: number) => Promise<number>;

/** Deletes what has expired, now and every hour. Returns a function that stops this. */
export function startCleanup(
  deletions: readonly DeleteExpired[],
  onFailure: (error: unknown) => void,
): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const deleteAll = async (): Promise<void> => {
    for (const deletion of deletions) await deleteInPieces(deletion, signal).catch(onFailure);
  };
  const ended = deleteAll().then(() => every(60 * 60_000, signal, deleteAll, onFailure));
  return () => {
    stopping.abort();
    return ended;
  };
}

// Few rows at a time, because a statement has a time limit and the embedded database runs one at a time.
const pieceMax = 1000;

/** Deletes in small statements, so that each stays within its time limit. */
async function deleteInPieces(deletion: DeleteExpired, stopping: AbortSignal): Promise<void> {
  // A request may replace a selected entry, so a statement may delete fewer than `max` although more are left.
  let deleted = 1;
  let max = pieceMax;
  while (deleted > 0 && !stopping.aborted) {
    try {
      deleted = await deletion(max);
    } catch (error) {
      if (!hasSqlState(error, 'query_canceled') || max === 1) throw error;
      max = Math.ceil(max / 4);
    }
  }
}
