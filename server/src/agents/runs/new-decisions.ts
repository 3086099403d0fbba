import { isDeepStrictEqual } from 'node:util';
import type { StoredDecision, ToolCallDecisions } from '../../db/tables.ts';
import { validationError, type InvalidField } from '../../errors.ts';
import type { Schemas } from '../../operation.ts';
import { agentTools } from '../../tools/catalogue.ts';

type Decision = Schemas['ToolCallDecision'];

/** A decision, with the tool of its call. */
export type NamedDecision = Decision & { readonly name: string };

export interface DecidedRun extends Pick<Schemas['Run'], 'required_action'> {
  readonly decisions: ToolCallDecisions | null;
}

/**
 * Computes the decisions to record: the new decisions of the request, and an approval of each other waiting call of a
 * tool that is now approved for the session. Throws if a decision is about a call that does not wait, or contradicts
 * another decision.
 */
export function newDecisions(run: DecidedRun, requested: readonly Decision[]): NamedDecision[] {
  const calls = run.required_action?.tool_calls ?? [];
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
      const field = differingField(before, decision);
      if (field === undefined) return [];
      errors.push({ pointer: `${pointer}/${field}`, code: 'conflicting', detail: contradiction });
    } else if (name === undefined) {
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

/** The user decides about each call, because a deletion cannot be undone. */
const askedEachTime: ReadonlySet<string> = new Set(
  agentTools.filter(({ effect }) => effect === 'deletes').map(({ name }) => name),
);

const contradiction = 'must not contradict the decision about this call that was made before';
const notWaiting =
  'must be the id of a call that waits for a decision; the run lists those in required_action';
const onlyOnce = 'must be once for this tool, which deletes: the user decides about each of its calls';

type Comparable = Pick<StoredDecision, 'approve' | 'arguments' | 'scope'>;

/** The first field in which two decisions about the same call differ. */
function differingField(earlier: Comparable, decision: Comparable): keyof Comparable | undefined {
  if (earlier.approve !== decision.approve) return 'approve';
  if (!isDeepStrictEqual(earlier.arguments, decision.arguments)) return 'arguments';
  // An approval for the session includes this call.
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
