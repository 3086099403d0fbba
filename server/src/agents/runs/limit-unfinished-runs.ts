import type { Selectable } from 'kysely';
import type { Db, RunRow } from '../../db/tables.ts';
import { Problem } from '../../errors.ts';
import { lockNewRuns, statusUnfinished } from './run-store.ts';

type UnfinishedRun = Pick<Selectable<RunRow>, 'id' | 'session_id' | 'status'>;

/**
 * Throws if the user has too many unfinished runs. Until the transaction ends, other transactions cannot start runs of
 * this user. A separate statement takes the lock, so that the count sees the commits that the lock has waited for.
 */
export async function limitUnfinishedRuns(transaction: Db, userId: string, max: number): Promise<void> {
  await lockNewRuns(transaction, userId);
  const runs = await transaction
    .selectFrom('runs')
    .select(['id', 'session_id', 'status'])
    .where('user_id', '=', userId)
    .where(statusUnfinished)
    .orderBy('seq')
    .execute();
  if (runs.length >= max) throw tooManyRuns(runs);
}

const namedMax = 5;

function tooManyRuns(runs: readonly UnfinishedRun[]): Problem {
  const limit = `You have ${runs.length} unfinished runs, which is the limit.`;
  const waiting = runs.filter(({ status }) => status === 'requires_action');
  if (waiting.length === 0)
    return new Problem('Rate Limited', `${limit} Wait until some of them finish.`, { retryAfterS: 5 });
  const blocked = new Set(waiting.map(({ session_id: session }) => session));
  const isMoving = runs.some(({ session_id: session }) => !blocked.has(session));
  const waits = waiting.length === 1 ? '1 of them waits' : `${waiting.length} of them wait`;
  return new Problem(
    'Rate Limited',
    `${limit} ${waits} for your decisions. Decide about the tool calls, or cancel: GET /v1/runs?status=requires_action lists these runs.`,
    {
      // Runs that are queued behind a waiting run do not finish either.
      retryAfterS: isMoving ? 5 : 60,
      extensions: { waiting_run_ids: waiting.slice(0, namedMax).map(({ id }) => id) },
    },
  );
}
