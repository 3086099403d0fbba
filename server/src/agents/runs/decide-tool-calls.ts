import { sql } from 'kysely';
import { isRow, type RowKey } from '../../db/row-key.ts';
import type { Db, ToolCallDecisions } from '../../db/tables.ts';
import { timestamp } from '../../db/timestamps.ts';
import { Problem } from '../../contract/problem.ts';
import { isId } from '../../lib/ids.ts';
import type { Schemas } from '../../contract/operation.ts';
import type { AgentServices } from '../services.ts';
import { appendMessage, failedCall, findRunCalls } from '../sessions/message-store.ts';
import { approveTools } from '../sessions/session-store.ts';
import { assertArguments, newDecisions, type NamedDecision } from './check-decisions.ts';
import { lockRun, requireRun, type LockedRun } from './run-store.ts';
import { hastenTurn } from './turns.ts';

/**
 * Records decisions about tool calls, queues the run if every call is decided, and resolves to the run. One transaction
 * records the decisions of a request together, or not at all. It locks the run, so that concurrent decisions and
 * cancellations wait.
 */
export async function recordDecisions(
  { db, skills }: Pick<AgentServices, 'db' | 'skills'>,
  key: RowKey,
  decisions: readonly Schemas['ToolCallDecision'][],
  requestId: string | undefined,
): Promise<Schemas['Run']> {
  return db.transaction().execute(async (transaction) => {
    const run = isId(key.id) ? await lockRun(transaction, isRow(key)) : undefined;
    if (run === undefined) throw new Problem('Run not found');
    await assertArguments(transaction, skills, run, decisions);
    const messages = await findRunCalls(transaction, run);
    const calls = messages.flatMap(({ tool_calls: made }) => made ?? []);
    const added = newDecisions(run, calls, decisions);
    if (added.length > 0) await addDecisions(transaction, run, added, { decidedBy: key.userId, requestId });
    return requireRun(transaction, key);
  });
}

/** Rejects the calls of a session whose time for a decision has passed, so that their run can continue. */
export async function expireApprovals(db: Db, { id: sessionId, userId }: RowKey): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const hasExpired = sql<boolean>`
      user_id = ${userId} and session_id = ${sessionId} and status = 'requires_action'
        and (required_action->>'expires_at')::timestamptz <= now()`;
    const run = await lockRun(transaction, hasExpired);
    const calls = run?.required_action?.tool_calls ?? [];
    const added = calls.map(
      ({ id, name }) => ({ tool_call_id: id, name, approve: false, scope: 'once' }) as const,
    );
    if (run !== undefined) await addDecisions(transaction, run, added, { decidedBy: null });
  });
}

/**
 * Adds decisions to a run. The run continues if no call waits for a decision. `decidedBy` is null if the time for a
 * decision has passed.
 */
async function addDecisions(
  transaction: Db,
  run: LockedRun,
  added: readonly NamedDecision[],
  { decidedBy, requestId = null }: { decidedBy: string | null; requestId?: string | null | undefined },
): Promise<void> {
  const { required_action: action, asked_tools: asked } = run;
  for (const rejection of added.filter(({ approve }) => !approve)) {
    const message = failedCall(rejection.tool_call_id, decidedBy === null ? expired : sentenceOf(rejection));
    await appendMessage(transaction, run, message, decidedBy === null ? 'agent' : 'human');
  }
  const session = { id: run.sessionId, userId: run.userId };
  const ofSession = added.filter(({ scope }) => scope === 'session');
  const approved = Object.fromEntries(ofSession.map(({ name }) => [name, asked?.[name] ?? '']));
  if (ofSession.length > 0) await approveTools(transaction, session, approved);
  const author = { decided_by: decidedBy, decided_at: timestamp() };
  const records: ToolCallDecisions = Object.fromEntries(
    added.map(({ tool_call_id: id, name, approve, arguments: values, scope }) => [
      id,
      { approve, arguments: values, scope, ...author, tool: asked?.[name] },
    ]),
  );
  const waiting = action?.tool_calls.filter((call) => records[call.id] === undefined) ?? [];
  const isDecided = waiting.length === 0;
  await sql`
    update runs set decisions = ${JSON.stringify({ ...run.decisions, ...records })},
      required_action = ${isDecided ? null : JSON.stringify({ ...action, tool_calls: waiting })},
      status = ${isDecided ? 'queued' : 'requires_action'}, request_id = coalesce(${requestId}, request_id)
    where ${isRow(run)}`.execute(transaction);
  if (isDecided) await hastenTurn(transaction, session, run.runtime);
}

/** What the model reads instead of a result when the user has rejected the call. */
function sentenceOf({ reason }: NamedDecision): string {
  return `The user rejected this call.${reason == null || reason === '' ? '' : ` Reason: ${reason}`}`;
}

const expired = 'Nobody decided about this call in time, so it was rejected.';
