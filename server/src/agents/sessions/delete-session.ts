import type { Selectable } from 'kysely';
import type { RunRow } from '../../db/tables.ts';
import type { EndedRun } from '../runs/cancel-run.ts';
import { executionMs, lockNewRuns, statusUnfinished } from '../runs/run-store.ts';
import type { AgentServices } from '../services.ts';
import { isSessionId, type SessionKey } from './session-store.ts';

type UnfinishedRun = Pick<Selectable<RunRow>, 'id' | 'elapsed_ms' | 'started_at'>;

/**
 * Deletes a session with its messages and runs, and resolves to its unfinished runs; to undefined if the user has no such
 * session. No worker writes to it afterwards, because each write first locks its run, which is deleted.
 */
export async function removeSession(
  { transact }: AgentServices,
  { id, userId }: SessionKey,
): Promise<readonly EndedRun[] | undefined> {
  if (!isSessionId(id)) return undefined;
  const values = [userId, id];
  const [, runs = [], deleted = []] = await transact<UnfinishedRun>([
    lockNewRuns(userId),
    // In this order, because a worker locks its run before the session: another order could deadlock with it.
    { text: lockUnfinished, values },
    { text: deleteSession, values },
  ]);
  if (deleted.length === 0) return undefined;
  return runs.map((run) => ({ id: run.id, executionMs: executionMs(run) }));
}

const lockUnfinished = `
  select id, elapsed_ms, started_at from runs
  where user_id = $1 and session_id = $2 and ${statusUnfinished}
  order by seq
  for update`;

const deleteSession = 'delete from sessions where user_id = $1 and id = $2 returning id';
