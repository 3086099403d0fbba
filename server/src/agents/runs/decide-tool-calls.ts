import { sql, type Selectable } from 'kysely';
import { isRow, type RowKey } from '../../db/row-key.ts';
import type { Db, RunRow, ToolCallDecisions, ToolIdentities } from '../../db/tables.ts';
import { timestamp } from '../../db/timestamps.ts';
import { Problem } from '../../errors.ts';
import type { Schemas } from '../../operation.ts';
import type { AgentServices } from '../services.ts';
import { appendMessage, failedCall } from '../sessions/message-store.ts';
import { approveTools } from '../sessions/session-store.ts';
import { assertArguments, newDecisions, type NamedDecision } from './check-decisions.ts';
import { requireRun } from './run-store.ts';
import { hastenTurn } from './turns.ts';

const lockedColumns = [
  'id',
  'session_id',
  'agent_id',
  'runtime',
  'required_action',
  'decisions',
  'asked_tools',
] as const;

type LockedRun = Pick<Selectable<RunRow>, (typeof lockedColumns)[number]>;

/**
 * Records decisions about tool calls, queues the run if every call is decided, and resolves to the run. A lock on the
 * run makes concurrent decisions and cancellations wait. So the decisions of a request are recorded together, or not at
 * all.
 */
export async function recordDecisions(
  { db, skills }: Pick<AgentServices, 'db' | 'skills'>,
  key: RowKey,
  decisions: readonly Schemas['ToolCallDecision'][],
  requestId: string | undefined,
): Promise<Schemas['Run']> {
  const asked = await requireRun(db, key);
  await assertArguments({ db, skills }, asked, { userId: key.userId, decisions });
  return db.transaction().execute(async (transaction) => {
    const run = await transaction
      .selectFrom('runs')
      .select(lockedColumns)
      .where(isRow(key))
      .forUpdate()
      .executeTakeFirst();
    if (run === undefined) throw new Problem('Run not found');
    const added = newDecisions(run, decisions);
    if (added.length > 0)
      await addDecisions(transaction, run, { added, ...key, decidedBy: key.userId, requestId });
    return requireRun(transaction, key);
  });
}

/** Rejects the calls of a session whose time for a decision has passed, so that their run can continue. */
export async function expireApprovals(db: Db, { id: sessionId, userId }: RowKey): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const run = await transaction
      .selectFrom('runs')
      .select(lockedColumns)
      .where('user_id', '=', userId)
      .where('session_id', '=', sessionId)
      .where('status', '=', 'requires_action')
      .where(sql<boolean>`(required_action->>'expires_at')::timestamptz <= now()`)
      .forUpdate()
      .executeTakeFirst();
    const calls = run?.required_action?.tool_calls ?? [];
    const added = calls.map(
      ({ id, name }) => ({ tool_call_id: id, name, approve: false, scope: 'once' }) as const,
    );
    if (run !== undefined) await addDecisions(transaction, run, { added, userId, decidedBy: null });
  });
}

interface AddedDecisions {
  readonly userId: string;
  readonly added: readonly NamedDecision[];
  /** Null if the time for a decision has passed. */
  readonly decidedBy: string | null;
  readonly requestId?: string | undefined;
}

/** Adds decisions to a run. The run continues if no call waits for a decision. */
async function addDecisions(
  transaction: Db,
  { id, session_id: sessionId, agent_id, runtime, required_action: action, ...run }: LockedRun,
  { userId, added, decidedBy, requestId }: AddedDecisions,
): Promise<void> {
  const logged = { id, userId, sessionId, agent: { id: agent_id } };
  for (const rejection of added.filter(({ approve }) => !approve)) {
    const message = failedCall(rejection.tool_call_id, decidedBy === null ? expired : sentenceOf(rejection));
    await appendMessage(transaction, logged, message, decidedBy === null ? 'agent' : 'human');
  }
  const session = { id: sessionId, userId };
  const ofSession = added.filter(({ scope }) => scope === 'session');
  const approved: ToolIdentities = Object.fromEntries(
    ofSession.map(({ name }) => [name, run.asked_tools?.[name] ?? '']),
  );
  if (ofSession.length > 0) await approveTools(transaction, session, approved);
  const author = { decided_by: decidedBy, decided_at: timestamp() };
  const records: ToolCallDecisions = Object.fromEntries(
    added.map(({ tool_call_id: callId, name, approve, arguments: values, scope }) => [
      callId,
      { approve, arguments: values, scope, ...author, tool: run.asked_tools?.[name] },
    ]),
  );
  const waiting = action?.tool_calls.filter((call) => records[call.id] === undefined) ?? [];
  const isDecided = waiting.length === 0;
  await sql`
    update runs set decisions = ${JSON.stringify({ ...run.decisions, ...records })},
      required_action = ${isDecided ? null : JSON.stringify({ ...action, tool_calls: waiting })},
      status = ${isDecided ? 'queued' : 'requires_action'}, request_id = coalesce(${requestId ?? null}, request_id)
    where ${isRow({ id, userId })}`.execute(transaction);
  if (isDecided) await hastenTurn(transaction, session, runtime);
}

/** What the model reads instead of a result when the user has rejected the call. */
function sentenceOf({ reason }: NamedDecision): string {
  return `The user rejected this call.${reason == null || reason === '' ? '' : ` Reason: ${reason}`}`;
}

const expired = 'Nobody decided about this call in time, so it was rejected.';
