import type { ToolCallDecisions } from '../../db/tables.ts';
import type { Statement } from '../../db/write.ts';
import { Problem, validationError, type InvalidField } from '../../errors.ts';
import { newId } from '../../ids.ts';
import type { Schemas } from '../../operation.ts';
import type { AgentServices } from '../services.ts';
import { appendMessage } from '../sessions/message-store.ts';
import { requireRun, type RunKey } from './run-store.ts';

type Decision = Schemas['ToolCallDecision'];

/** The locked run. */
interface LockedRun extends Pick<Schemas['Run'], 'required_action'> {
  readonly decisions: ToolCallDecisions | null;
}

/**
 * Records decisions about tool calls, and queues the run once every call is decided. The lock of the run makes concurrent
 * decisions and cancellations wait for each other, so the decisions of a request take effect together or not at all.
 */
export async function recordDecisions(
  { db, transact, agents }: AgentServices,
  key: RunKey,
  decisions: readonly Decision[],
  requestId: string | undefined,
): Promise<void> {
  const { session_id: sessionId } = await requireRun(db, key);
  const { id: runId, userId } = key;
  const resume = await agents.queue.resumeStatement({ runId, userId, sessionId, requestId });
  await transact<LockedRun>([{ text: lockRun, values: [userId, runId] }], ([rows = []]) => {
    const [run] = rows;
    if (run === undefined) throw new Problem('Run not found');
    const added = newDecisions(run, decisions);
    if (added.length === 0) return [];
    const calls = remainingCalls(run, added);
    return [
      ...added.filter(({ approve }) => !approve).map((rejection) => resultOf(key, sessionId, rejection)),
      setDecisions(key, { ...run.decisions, ...recordsOf(added, userId) }, calls),
      ...(calls.length === 0 ? [resume] : []),
    ];
  });
}

const lockRun = 'select required_action, decisions from runs where user_id = $1 and id = $2 for update';

/** The decisions that are not a repetition. Throws if one is about a call that does not wait, or contradicts another. */
function newDecisions(
  { required_action: action, decisions }: LockedRun,
  requested: readonly Decision[],
): Decision[] {
  const waiting = new Set(action?.tool_calls.map(({ id }) => id));
  const known = new Map(Object.entries(decisions ?? {}).map(([id, { approve }]) => [id, approve]));
  const errors: InvalidField[] = [];
  const added = requested.filter(({ tool_call_id: id, approve }, i) => {
    const earlier = known.get(id);
    if (earlier === approve) return false;
    if (earlier !== undefined)
      errors.push({ pointer: `/decisions/${i}/approve`, code: 'conflicting', detail: contradiction });
    else if (!waiting.has(id))
      errors.push({ pointer: `/decisions/${i}/tool_call_id`, code: 'not_found', detail: notWaiting });
    known.set(id, approve);
    return true;
  });
  if (errors.length > 0) throw validationError(errors);
  return added;
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
    decisions.map(({ tool_call_id: id, approve }) => [id, { approve, decided_by: userId }]),
  );
}

function setDecisions(
  { id, userId }: RunKey,
  decisions: ToolCallDecisions,
  remaining: readonly Schemas['ToolCall'][],
): Statement {
  const isDecided = remaining.length === 0;
  const requiredAction = isDecided ? null : JSON.stringify({ tool_calls: remaining });
  const status: Schemas['Run']['status'] = isDecided ? 'queued' : 'requires_action';
  return { text: updateRun, values: [userId, id, JSON.stringify(decisions), requiredAction, status] };
}

const updateRun = `
  update runs set decisions = $3, required_action = $4, status = $5 where user_id = $1 and id = $2`;

/** The result of a rejected call, for the model. */
function resultOf({ id, userId }: RunKey, sessionId: string, { tool_call_id, reason }: Decision): Statement {
  const content = `The user rejected this call.${reason == null || reason === '' ? '' : ` Reason: ${reason}`}`;
  const result = { role: 'tool', content, is_error: true, actor_type: 'human', actor_id: userId } as const;
  return appendMessage({ id: sessionId, userId }, { ...result, id: newId(), run_id: id, tool_call_id });
}
