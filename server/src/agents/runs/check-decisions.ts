import { isDeepStrictEqual } from 'node:util';
import type { Db, StoredDecision } from '../../db/tables.ts';
import { validationError, type InvalidField } from '../../contract/problem.ts';
import type { Schemas } from '../../contract/operation.ts';
import { agentTools } from '../../tools/catalogue.ts';
import { findAgentOfRun } from '../agent-store.ts';
import type { Skills } from '../skills/skills.ts';
import type { Tool } from '../skills/tool.ts';
import { editedArguments } from './edited-arguments.ts';
import type { LockedRun } from './run-store.ts';

type Decision = Schemas['ToolCallDecision'];

/**
 * Throws if a tool does not accept the arguments in the user's decision. Arguments for an MCP server whose tools are
 * unknown are checked when the call is executed.
 */
export async function assertArguments(
  transaction: Db,
  skills: Skills,
  run: LockedRun,
  decisions: readonly Decision[],
): Promise<void> {
  const isEdited = decisions.some(({ arguments: values }) => values !== undefined);
  const key = { id: run.agentId, userId: run.userId };
  const names = isEdited ? (await findAgentOfRun(transaction, key)).skills : [];
  const tools = names.flatMap((name) => skills.get(name)?.lastList()?.tools ?? []);
  const errors = decisions.flatMap((decision, i) => {
    const call = run.required_action?.tool_calls.find(({ id }) => id === decision.tool_call_id);
    const tool = tools.find(({ name }) => name === call?.name);
    const found = argumentErrors(decision, tool);
    return found.map((error) => ({ ...error, pointer: `/decisions/${i}${error.pointer}` }));
  });
  if (errors.length > 0) throw validationError(errors);
}

const bytesMax = 64 * 1024;

function argumentErrors(
  { approve, arguments: values, scope }: Decision,
  tool: Tool | undefined,
): InvalidField[] {
  const pointer = '/arguments';
  const detail = 'must be absent if the call is rejected';
  const misplaced = { code: 'conflicting', detail } as const;
  if (!approve)
    return [
      ...(values === undefined ? [] : [{ ...misplaced, pointer }]),
      ...(scope === 'session' ? [{ ...misplaced, pointer: '/scope' }] : []),
    ];
  if (values === undefined) return [];
  if (Buffer.byteLength(JSON.stringify(values)) > bytesMax)
    return [{ pointer, code: 'too_large', detail: `must not be larger than ${bytesMax} bytes as JSON` }];
  const errors = tool?.findErrors(values) ?? [];
  return errors.map((error) => ({ ...error, pointer: pointer + error.pointer }));
}

/** A decision, with the tool of its call. */
export type NamedDecision = Decision & { readonly name: string };

/**
 * Computes the decisions to record, given the calls that the run has made: the new decisions of the request, and an
 * approval of every other waiting call whose tool is now approved for the session. Throws if a decision is about a call
 * that does not wait, or contradicts another decision.
 */
export function newDecisions(
  run: LockedRun,
  made: readonly Schemas['ToolCall'][],
  requested: readonly Decision[],
): NamedDecision[] {
  const calls = run.required_action?.tool_calls ?? [];
  const isExpired = Date.parse(run.required_action?.expires_at ?? '') <= Date.now();
  const waiting = new Map(calls.map(({ id, name }) => [id, name]));
  // Leave out expired calls, which no user has decided, and calls that wait again because their tool has changed.
  const recorded = Object.entries(run.decisions ?? {}).filter(
    ([id, { decided_by: user }]) => user !== null && !waiting.has(id),
  );
  const decisionsById = new Map<string, Comparable>(recorded);
  const errors: InvalidField[] = [];
  const added = requested.flatMap((decision, i): NamedDecision[] => {
    const { tool_call_id: id, scope } = decision;
    const pointer = `/decisions/${i}`;
    const before = decisionsById.get(id);
    const name = waiting.get(id);
    if (before !== undefined) {
      const field = differingField(
        before,
        decision,
        made.find((call) => call.id === id),
      );
      if (field === undefined) return [];
      errors.push({ pointer: `${pointer}/${field}`, code: 'conflicting', detail: contradiction });
    } else if (name === undefined || isExpired) {
      errors.push({ pointer: `${pointer}/tool_call_id`, code: 'not_found', detail: notWaiting });
    } else if (scope === 'session' && askedEachTime.has(name)) {
      errors.push({ pointer: `${pointer}/scope`, code: 'not_one_of', detail: onlyOnce });
    }
    decisionsById.set(id, decision);
    return [{ ...decision, name: name ?? '' }];
  });
  if (errors.length > 0) throw validationError(errors);
  return [...added, ...decisionsThatFollow(calls, added)];
}

/** Tools that cannot be approved for a whole session, because a deletion cannot be undone. */
const askedEachTime: ReadonlySet<string> = new Set(
  agentTools.filter(({ effect }) => effect === 'deletes').map(({ name }) => name),
);

const contradiction = 'must not contradict the decision about this call that was made before';
const notWaiting =
  'must be the id of a call that waits for a decision; the run lists those in required_action';
const onlyOnce = 'must be once for this tool, which deletes: the user decides about each of its calls';

type Comparable = Pick<StoredDecision, 'approve' | 'arguments' | 'scope'>;

/** The first field in which two decisions about the same call differ. */
function differingField(
  earlier: Comparable,
  decision: Comparable,
  call: Schemas['ToolCall'] | undefined,
): keyof Comparable | undefined {
  if (earlier.approve !== decision.approve) return 'approve';
  const [earlierEdit, edit] = [earlier, decision].map((each) => editedArguments(each, call));
  if (!isDeepStrictEqual(earlierEdit, edit)) return 'arguments';
  // An earlier approval for the session includes an approval of this call alone.
  return decision.scope === 'session' && earlier.scope !== 'session' ? 'scope' : undefined;
}

function decisionsThatFollow(
  calls: readonly Schemas['ToolCall'][],
  added: readonly NamedDecision[],
): NamedDecision[] {
  const decided = new Set(added.map(({ tool_call_id: id }) => id));
  const approved = new Set(added.filter(({ scope }) => scope === 'session').map(({ name }) => name));
  return calls
    .filter(({ id, name }) => !decided.has(id) && approved.has(name))
    .map(({ id, name }) => ({ tool_call_id: id, name, approve: true, scope: 'session' }));
}
