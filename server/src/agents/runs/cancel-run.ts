import { isRow, type RowKey } from '../../db/rows.ts';
import { timestamp } from '../../db/timestamps.ts';
import { isId } from '../../lib/ids.ts';
import type { Schemas } from '../../contract/operation.ts';
import type { AgentServices } from '../services.ts';
import { LeaseLost } from './lease.ts';
import { endLog } from './preview.ts';
import { isFinished, lockRun, runColumns, runFromRow } from './run-store.ts';
import { hastenTurn } from './turns.ts';

/**
 * Cancels a run and resolves to it, or to undefined if the run has ended or does not exist. Both the cancellation and
 * each write of a worker lock the run. So each step of the worker is either committed before the cancellation, or not
 * at all.
 */
export async function cancelUnfinishedRun(
  { db, workers }: Pick<AgentServices, 'db' | 'workers'>,
  key: RowKey,
): Promise<Schemas['Run'] | undefined> {
  if (!isId(key.id)) return undefined;
  return db.transaction().execute(async (transaction) => {
    const run = await lockRun(transaction, isRow(key));
    if (run === undefined || isFinished(run)) return undefined;
    const cancelled = await transaction
      .updateTable('runs')
      .set({ status: 'cancelled', required_action: null, completed_at: timestamp() })
      .where(isRow(key))
      .returning(runColumns)
      .executeTakeFirstOrThrow();
    // Read the log after the lock, so that it has the last messages of the worker.
    await endLog(transaction, run, workers.findActive(run.id)?.preview);
    await hastenTurn(transaction, run, null, run.status === 'running');
    return runFromRow(cancelled);
  });
}

/**
 * Stops the work on the run in this process, and ends the requests that wait for it. Other processes stop within a
 * second. Wakes a worker for the next run of the session.
 */
export function announceCancelled({ runEvents, workers, metrics }: AgentServices, id: string): void {
  workers.findActive(id)?.lost.abort(new LeaseLost());
  workers.wake();
  runEvents.publish(id, 'any');
  metrics.runs.inc({ outcome: 'cancelled' });
}
