import { sql } from 'kysely';
import { isRow, type RowKey } from '../../db/row-key.ts';
import type { Db, ToolCallDecisions, ToolIdentities } from '../../db/tables.ts';
import { timestamp } from '../../db/timestamps.ts';
import { Problem } from '../../errors.ts';
import type { Schemas } from '../../operation.ts';
import type { AgentServices } from '../services.ts';
import { approveTools } from '../sessions/approved-tools.ts';
import { appendMessage, failedCall } from '../sessions/message-store.ts';
import { assertArguments } from './decided-arguments.ts';
import { newDecisions, type DecidedRun, type NamedDecision } from './new-decisions.ts';
import { requireRun } from './run-store.ts';
import { hastenTurn } from './turns.ts';

type Decision = Schemas['ToolCallDecision'];

interface LockedRun extends DecidedRun {
  readonly asked_tools: ToolIdentities | null;
}

/**
 * Records decisions about tool calls, queues the run if every call is decided, and resolves to the run. A lock on the
 * run makes concurrent decisions and cancellations wait. So the decisions of a request are recorded together, or not at
 * all.
 */
export async function recordDecisions(
  { db, skills }: Pick<AgentServices, 'db' | 'skills'>,
  key: RowKey,
  decisions: readonly Decision[],
  requestId: string | undefined,
): Promise<Schemas['Run']> {
  const asked = await requireRun(db, key);
  await assertArguments({ db, skills }, asked, { userId: key.userId, decisions });
  const { session_id: sessionId, agent_id: agentId, runtime } = asked;
  const session = { id: sessionId, userId: key.userId };
  return db.transaction().execute(async (transaction) => {
    const run = await lockRun(transaction, key);
    if (run === undefined) throw new Problem('Run not found');
    const added = newDecisions(run, decisions);
    if (added.length === 0) return requireRun(transaction, key);
    const remaining = remainingAction(run, added);
    for (const rejection of added.filter(({ approve }) => !approve))
      await appendMessage(
        transaction,
        { ...key, sessionId, agent: { id: agentId } },
        failedCall(rejection.tool_call_id, sentenceOf(rejection)),
        'human',
      );
    const approved = toolsApprovedForSession(run, added);
    if (Object.keys(approved).length > 0) await approveTools(transaction, session, approved);
    await setDecisions(
      transaction,
      key,
      { ...run.decisions, ...recordsOf(run, added, key.userId) },
      { remaining, requestId },
    );
    if (remaining === null) await hastenTurn(transaction, session, runtime);
    return requireRun(transaction, key);
  });
}

function lockRun(transaction: Db, key: RowKey): Promise<LockedRun | undefined> {
  return transaction
    .selectFrom('runs')
    .select(['required_action', 'decisions', 'asked_tools'])
    .where(isRow(key))
    .forUpdate()
    .executeTakeFirst();
}

/** What the run still requires of the user; null if it requires nothing. */
function remainingAction(
  { required_action: action }: LockedRun,
  added: readonly Decision[],
): Schemas['Run']['required_action'] {
  const decided = new Set(added.map(({ tool_call_id: id }) => id));
  const calls = action?.tool_calls.filter(({ id }) => !decided.has(id)) ?? [];
  return action === null || calls.length === 0 ? null : { ...action, tool_calls: calls };
}

function toolsApprovedForSession(
  { asked_tools: tools }: LockedRun,
  added: readonly NamedDecision[],
): ToolIdentities {
  const approved = added.filter(({ scope }) => scope === 'session');
  return Object.fromEntries(approved.map(({ name }) => [name, tools?.[name] ?? '']));
}

function recordsOf(
  { asked_tools: tools }: LockedRun,
  added: readonly NamedDecision[],
  userId: string,
): ToolCallDecisions {
  const decided = { decided_by: userId, decided_at: timestamp() };
  return Object.fromEntries(
    added.map(({ tool_call_id: id, name, approve, arguments: values, scope }) => [
      id,
      { approve, arguments: values, scope, ...decided, tool: tools?.[name] },
    ]),
  );
}

export async function setDecisions(
  transaction: Db,
  key: RowKey,
  decisions: ToolCallDecisions,
  {
    remaining,
    requestId = null,
  }: {
    readonly remaining: Schemas['Run']['required_action'];
    readonly requestId?: string | null | undefined;
  },
): Promise<void> {
  const requiredAction = remaining === null ? null : JSON.stringify(remaining);
  const status: Schemas['Run']['status'] = remaining === null ? 'queued' : 'requires_action';
  await sql`
    update runs set decisions = ${JSON.stringify(decisions)}, required_action = ${requiredAction}, status = ${status},
      request_id = coalesce(${requestId}, request_id)
    where ${isRow(key)}`.execute(transaction);
}

/** What the model reads instead of a result when the user has rejected the call. */
function sentenceOf({ reason }: Decision): string {
  return `The user rejected this call.${reason == null || reason === '' ? '' : ` Reason: ${reason}`}`;
}
