import { sql } from 'kysely';
import type { RowKey } from '../../db/row-key.ts';
import type { Db, ToolCallDecisions } from '../../db/tables.ts';
import { timestamp } from '../../db/timestamps.ts';
import { appendMessage, failedCall } from '../sessions/message-store.ts';
import { setDecisions } from './decide-tool-calls.ts';

/** Rejects the calls of a session whose time for a decision has passed, so that their run can continue. */
export async function expireApprovals(db: Db, { id: sessionId, userId }: RowKey): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const run = await transaction
      .selectFrom('runs')
      .select(['id', 'agent_id', 'required_action', 'decisions'])
      .where('user_id', '=', userId)
      .where('session_id', '=', sessionId)
      .where('status', '=', 'requires_action')
      .where(sql<boolean>`(required_action->>'expires_at')::timestamptz <= now()`)
      .forUpdate()
      .executeTakeFirst();
    if (run === undefined) return;
    const calls = run.required_action?.tool_calls ?? [];
    const logged = { id: run.id, userId, sessionId, agent: { id: run.agent_id } };
    for (const { id } of calls) await appendMessage(transaction, logged, failedCall(id, expired));
    const rejection = { approve: false, scope: 'once', decided_by: null, tool: undefined } as const;
    const expiry = { ...rejection, decided_at: timestamp() };
    const rejections: ToolCallDecisions = Object.fromEntries(calls.map(({ id }) => [id, expiry]));
    const decisions = { ...run.decisions, ...rejections };
    await setDecisions(transaction, { id: run.id, userId }, decisions, { remaining: null });
  });
}

const expired = 'Nobody decided about this call in time, so it was rejected.';
