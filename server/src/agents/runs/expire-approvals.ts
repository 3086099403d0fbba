import { sql, type RawBuilder, type Selectable } from 'kysely';
import { isRow } from '../../db/row-key.ts';
import type { Db, RunRow, ToolCallDecisions } from '../../db/tables.ts';
import { appendMessage, failedCall } from '../sessions/message-store.ts';
import { setDecisions } from './decide-tool-calls.ts';
import type { RunQueue } from './queue.ts';

type OverdueRun = Pick<Selectable<RunRow>, 'user_id' | 'id'>;

// A pass handles at most this number of runs. The next pass, a minute later, handles further runs.
const runsMax = 500;

/**
 * Rejects the calls whose time for a decision has passed, and lets their runs continue. Several servers may do this at
 * the same time, because each change locks its run. After a failure for one run, the others are still handled; the
 * error is thrown at the end.
 */
export async function expireApprovals(
  db: Db,
  queue: Pick<RunQueue, 'add' | 'wakeWorker'>,
  stopping: AbortSignal,
): Promise<void> {
  const { rows } = await sql<OverdueRun>`
    select user_id, id from runs where ${isOverdue()} limit ${runsMax}`.execute(db);
  const failures: unknown[] = [];
  for (const run of rows) {
    if (stopping.aborted) return;
    try {
      await expireRun(db, queue, run);
      queue.wakeWorker();
    } catch (error) {
      failures.push(new Error(`The approvals of the run ${run.id} cannot expire.`, { cause: error }));
    }
  }
  if (failures.length > 0) throw failures[0];
}

/** The status is a literal, for the same reason as in `statusContinuedBy`. */
function isOverdue(): RawBuilder<boolean> {
  return sql<boolean>`status = 'requires_action' and (required_action->>'expires_at')::timestamptz <= now()`;
}

const lockedColumns = ['session_id', 'agent_id', 'runtime', 'required_action', 'decisions'] as const;

async function expireRun(
  db: Db,
  queue: Pick<RunQueue, 'add'>,
  { user_id: userId, id: runId }: OverdueRun,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const run = await transaction
      .selectFrom('runs')
      .select(lockedColumns)
      .where(isRow({ id: runId, userId }))
      .where(isOverdue())
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (run === undefined) return;
    const { session_id: sessionId, agent_id: agentId, runtime, decisions } = run;
    const calls = run.required_action?.tool_calls ?? [];
    const logged = { id: runId, userId, sessionId, agent: { id: agentId } };
    for (const { id } of calls) await appendMessage(transaction, logged, failedCall(id, expired));
    const rejections: ToolCallDecisions = Object.fromEntries(calls.map(({ id }) => [id, rejection]));
    await setDecisions(transaction, { id: runId, userId }, { ...decisions, ...rejections }, null);
    await queue.add(transaction, { runId, userId, sessionId, runtime });
  });
}

const expired = 'Nobody decided about this call in time, so it was rejected.';
const rejection = { approve: false, scope: 'once', decided_by: null, tool: undefined } as const;
