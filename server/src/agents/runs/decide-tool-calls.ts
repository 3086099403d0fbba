import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { Db, ToolCallDecisions } from '../../db/tables.ts';
import { Problem, validationError, type InvalidField } from '../../errors.ts';
import { newId } from '../../ids.ts';
import type { Schemas } from '../../operation.ts';
import type { AgentServices } from '../services.ts';
import { appendMessage, type NewMessage } from '../sessions/message-store.ts';
import { assertArguments } from './decided-arguments.ts';
import { requireRun, type RunKey } from './run-store.ts';

type Decision = Schemas['ToolCallDecision'];

/** The locked run. */
interface LockedRun extends Pick<Schemas['Run'], 'required_action'> {
  readonly decisions: ToolCallDecisions | null;
}

interface DecideOptions {
  readonly requestId: string | undefined;
  /** Aborts when the client has disconnected. */
  readonly signal: AbortSignal;
}

/**
 * Records decisions about tool calls, and queues the run once every call is decided. The lock of the run makes concurrent
 * decisions and cancellations wait for each other, so the decisions of a request take effect together or not at all.
 */
export async function recordDecisions(
  { db, agents }: AgentServices,
  key: RunKey,
  decisions: readonly Decision[],
  { requestId, signal }: DecideOptions,
): Promise<void> {
  const asked = await requireRun(db, key);
  await assertArguments({ db, agents }, asked, { userId: key.userId, decisions, signal });
  const { session_id: sessionId } = asked;
  const { id: runId, userId } = key;
  const session = { id: sessionId, userId };
  await db.transaction().execute(async (transaction) => {
    const run = await lockRun(transaction, key);
    if (run === undefined) throw new Problem('Run not found');
    const added = newDecisions(run, decisions);
    if (added.length === 0) return;
    const calls = remainingCalls(run, added);
    for (const rejection of added.filter(({ approve }) => !approve))
      await appendMessage(transaction, session, resultOf(key, rejection));
    await setDecisions(transaction, key, { ...run.decisions, ...recordsOf(added, userId) }, calls);
    if (calls.length === 0) await agents.queue.resume(transaction, { runId, userId, sessionId, requestId });
  });
}

function lockRun(transaction: Db, { id, userId }: RunKey): Promise<LockedRun | undefined> {
  return transaction
    .selectFrom('runs')
    .select(['required_action', 'decisions'])
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

/** The decisions that are not a repetition. Throws if one is about a call that does not wait, or contradicts another. */
function newDecisions(
  { required_action: action, decisions }: LockedRun,
  requested: readonly Decision[],
): Decision[] {
  const waiting = new Set(action?.tool_calls.map(({ id }) => id));
  const known = new Map<string, Comparable>(Object.entries(decisions ?? {}));
  const errors: InvalidField[] = [];
  const added = requested.filter((decision, i) => {
    const { tool_call_id: id } = decision;
    const earlier = known.get(id);
    const field = earlier === undefined ? undefined : differingField(earlier, decision);
    if (earlier !== undefined && field === undefined) return false;
    if (field !== undefined)
      errors.push({ pointer: `/decisions/${i}/${field}`, code: 'conflicting', detail: contradiction });
    else if (!waiting.has(id))
      errors.push({ pointer: `/decisions/${i}/tool_call_id`, code: 'not_found', detail: notWaiting });
    known.set(id, decision);
    return true;
  });
  if (errors.length > 0) throw validationError(errors);
  return added;
}

type Comparable = Pick<Decision, 'approve' | 'arguments'>;

/** The first field in which a decision differs from an earlier one about the same call. */
function differingField(earlier: Comparable, decision: Comparable): keyof Comparable | undefined {
  const fields = ['approve', 'arguments'] as const;
  return fields.find((field) => !isDeepStrictEqual(earlier[field], decision[field]));
}

const contradiction = 'must not contradict the decision about this call that was made before';
const notWaiting =
  'must be the id of a call that waits for a decision; the run lists those in required_action';

function remainingCalls(
  { required_action: action }: LockedRun,
  added: readonly Decision[],
): Schemas['ToolCall'][] {
  const decided = new Set(added.map(({ tool_call_id: id }) => id));
  return (action?.tool_calls ?? []).filter(({ id }) => !decided.has(id));
}

function recordsOf(decisions: readonly Decision[], userId: string): ToolCallDecisions {
  return Object.fromEntries(
    decisions.map(({ tool_call_id: id, approve, arguments: values }) => [
      id,
      { approve, ...(values !== undefined && { arguments: values }), decided_by: userId },
    ]),
  );
}

async function setDecisions(
  transaction: Db,
  { id, userId }: RunKey,
  decisions: ToolCallDecisions,
  remaining: readonly Schemas['ToolCall'][],
): Promise<void> {
  const isDecided = remaining.length === 0;
  const requiredAction = isDecided ? null : JSON.stringify({ tool_calls: remaining });
  const status: Schemas['Run']['status'] = isDecided ? 'queued' : 'requires_action';
  await sql`
    update runs set decisions = ${JSON.stringify(decisions)}, required_action = ${requiredAction}, status = ${status}
    where user_id = ${userId} and id = ${id}`.execute(transaction);
}

/** The result of a rejected call, for the model. */
function resultOf({ id, userId }: RunKey, { tool_call_id, reason }: Decision): NewMessage {
  const content = `The user rejected this call.${reason == null || reason === '' ? '' : ` Reason: ${reason}`}`;
  const result = { role: 'tool', content, is_error: true, actor_type: 'human', actor_id: userId } as const;
  return { ...result, id: newId(), run_id: id, tool_call_id };
}
