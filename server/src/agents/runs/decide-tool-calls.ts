import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { isRow, type RowKey } from '../../db/rows.ts';
import type { Db, StoredDecision } from '../../db/tables.ts';
import { timestamp } from '../../db/timestamps.ts';
import { Problem, validationError, type InvalidField } from '../../contract/problem.ts';
import { isId } from '../../lib/ids.ts';
import type { Schemas } from '../../contract/operation.ts';
import { agentTools } from '../../tools/catalogue.ts';
import type { AgentServices } from '../services.ts';
import { appendMessage, failedCall } from '../sessions/message-store.ts';
import { approveTools } from '../sessions/session-store.ts';
import type { Tool } from '../skills/tool.ts';
import { lockRun, requireRun, type HeldRun } from './run-store.ts';
import { hastenTurn } from './turns.ts';

type Decision = Schemas['ToolCallDecision'];

/**
 * Records decisions about tool calls, queues the run if every call is decided, and resolves to the run. One transaction
 * records either all decisions of a request or none. It locks the run, so that concurrent decisions and cancellations
 * wait.
 */
export async function recordDecisions(
  { db, skills }: Pick<AgentServices, 'db' | 'skills'>,
  key: RowKey,
  decisions: readonly Decision[],
  requestId: string | undefined,
): Promise<Schemas['Run']> {
  return db.transaction().execute(async (transaction) => {
    const run = isId(key.id) ? await lockRun(transaction, isRow(key)) : undefined;
    if (run === undefined) throw new Problem('Run not found');
    const tools = [...skills.values()].flatMap((skill) => skill.lastList()?.tools ?? []);
    const added = newDecisions(run, decisions, tools);
    if (added.length > 0) await addDecisions(transaction, run, added, key.userId, requestId);
    return requireRun(transaction, key);
  });
}

/** Rejects the waiting calls of a session if the time for a decision has passed, so that their run can continue. */
export async function expireApprovals(db: Db, { id: sessionId, userId }: RowKey): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const hasExpired = sql<boolean>`
      user_id = ${userId} and session_id = ${sessionId} and status = 'requires_action'
        and (required_action->>'expires_at')::timestamptz <= now()`;
    const run = await lockRun(transaction, hasExpired);
    if (run === undefined) return;
    const rejected = waitingCalls(run).map(({ id }) => ({ tool_call_id: id, ...rejection }));
    await addDecisions(transaction, run, rejected, null);
  });
}

const rejection = { approve: false, scope: 'once' } as const;

function waitingCalls({ required_action: action }: HeldRun): readonly Schemas['ToolCall'][] {
  return action?.tool_calls ?? [];
}

/**
 * Adds decisions about waiting calls to a run. The run continues when no more calls wait. `decidedBy` is null if the
 * time for a decision has passed.
 */
async function addDecisions(
  transaction: Db,
  run: HeldRun,
  added: readonly Decision[],
  decidedBy: string | null,
  requestId: string | null = null,
): Promise<void> {
  const names = new Map(waitingCalls(run).map(({ id, name }) => [id, name]));
  const author = { decided_by: decidedBy, decided_at: timestamp() };
  const records: Record<string, StoredDecision> = {};
  const approved: Record<string, string> = {};
  for (const { tool_call_id: id, approve, arguments: values, scope, reason } of added) {
    const name = names.get(id) ?? '';
    const tool = run.asked_tools?.[name];
    records[id] = { approve, arguments: values, scope, ...author, tool };
    if (scope === 'session') approved[name] = tool ?? '';
    if (approve) continue;
    // The model reads this sentence instead of a result.
    const sentence = `The user rejected this call.${reason == null || reason === '' ? '' : ` Reason: ${reason}`}`;
    const message = failedCall(id, decidedBy === null ? expired : sentence);
    await appendMessage(transaction, run, message, decidedBy === null ? 'agent' : 'human');
  }
  const session = { id: run.sessionId, userId: run.userId };
  if (Object.keys(approved).length > 0) await approveTools(transaction, session, approved);
  const waiting = waitingCalls(run).filter(({ id }) => !(id in records));
  const isDecided = waiting.length === 0;
  await sql`
    update runs set decisions = ${JSON.stringify({ ...run.decisions, ...records })},
      required_action = ${isDecided ? null : JSON.stringify({ ...run.required_action, tool_calls: waiting })},
      status = ${isDecided ? 'queued' : 'requires_action'}, request_id = coalesce(${requestId}, request_id)
    where ${isRow(run)}`.execute(transaction);
  if (isDecided) await hastenTurn(transaction, run, run.runtime);
}

const expired = 'Nobody decided about this call in time, so it was rejected.';

/**
 * Computes the decisions to record: the new decisions of the request, and an approval of every other waiting call whose
 * tool is now approved for the session. Throws if a decision is about a call that does not wait, contradicts another
 * decision, or has arguments that the tool does not accept.
 */
function newDecisions(run: HeldRun, requested: readonly Decision[], tools: readonly Tool[]): Decision[] {
  const isExpired = Date.parse(run.required_action?.expires_at ?? '') <= Date.now();
  const names = new Map(waitingCalls(run).map(({ id, name }) => [id, name]));
  // Leave out expired calls, which no user has decided, and calls that wait again because their tool has changed.
  const recorded = Object.entries(run.decisions).filter(
    ([id, { decided_by: user }]) => user !== null && !names.has(id),
  );
  const decided = new Map<string, Comparable>(recorded);
  const added: Decision[] = [];
  const errors = requested.flatMap((decision, i): InvalidField[] => {
    const id = decision.tool_call_id;
    const earlier = decided.get(id);
    if (earlier === undefined) added.push(decision);
    const name = isExpired ? undefined : names.get(id);
    const found = earlier === undefined ? errorsOf(decision, name, tools) : conflicts(earlier, decision);
    decided.set(id, earlier ?? decision);
    return found.map((error) => ({ ...error, pointer: `/decisions/${i}${error.pointer}` }));
  });
  if (errors.length > 0) throw validationError(errors);
  const ofSession = added.filter(({ scope }) => scope === 'session');
  const approved = new Set(ofSession.map(({ tool_call_id: id }) => names.get(id)));
  const following = waitingCalls(run).filter(({ id, name }) => approved.has(name) && !decided.has(id));
  const approval = { approve: true, scope: 'session' } as const;
  return [...added, ...following.map(({ id }) => ({ tool_call_id: id, ...approval }))];
}

/** Tools that cannot be approved for a whole session, because a deletion cannot be undone. */
const askedEachTime: ReadonlySet<string> = new Set(
  agentTools.filter(({ effect }) => effect === 'deletes').map(({ name }) => name),
);

const bytesMax = 64 * 1024;

/** Finds errors in a decision. If the tool of the call is unknown here, its MCP server checks the arguments later. */
function errorsOf(
  { approve, arguments: values, scope }: Decision,
  name: string | undefined,
  tools: readonly Tool[],
): InvalidField[] {
  const [ofArguments, ofScope] = ['/arguments', '/scope'];
  if (name === undefined) return [{ pointer: '/tool_call_id', code: 'not_found', detail: notWaiting }];
  if (!approve) {
    const misplaced = [values !== undefined && ofArguments, scope === 'session' && ofScope];
    const detail = 'must be absent if the call is rejected';
    return misplaced.flatMap((pointer) => (pointer ? { pointer, code: 'conflicting', detail } : []));
  }
  if (scope === 'session' && askedEachTime.has(name))
    return [{ pointer: ofScope, code: 'not_one_of', detail: onlyOnce }];
  if (values === undefined) return [];
  const tooLarge = `must not be larger than ${bytesMax} bytes as JSON`;
  if (Buffer.byteLength(JSON.stringify(values)) > bytesMax)
    return [{ pointer: ofArguments, code: 'too_large', detail: tooLarge }];
  const errors = tools.find((tool) => tool.name === name)?.findErrors(values) ?? [];
  return errors.map((error) => ({ ...error, pointer: ofArguments + error.pointer }));
}

const notWaiting =
  'must be the id of a call that waits for a decision; the run lists those in required_action';
const onlyOnce = 'must be once for this tool, which deletes: the user decides about each of its calls';

type Comparable = Pick<StoredDecision, 'approve' | 'arguments' | 'scope'>;

/** An error for each field in which a decision contradicts an earlier one about the same call. */
function conflicts(earlier: Comparable, { approve, arguments: values, scope }: Decision): InvalidField[] {
  const fields = [
    earlier.approve !== approve && 'approve',
    !isDeepStrictEqual(earlier.arguments, values) && 'arguments',
    // An earlier approval for the session includes an approval of this call alone.
    scope === 'session' && earlier.scope !== 'session' && 'scope',
  ];
  const detail = 'must not contradict the decision about this call that was made before';
  return fields.flatMap((field) => (field ? { pointer: `/${field}`, code: 'conflicting', detail } : []));
}
