import { validationError, type InvalidField } from '../../errors.ts';
import type { Schemas } from '../../operation.ts';
import { findAgentOfRun } from '../agent-store.ts';
import type { AgentServices } from '../services.ts';

type Decision = Schemas['ToolCallDecision'];

interface DecisionsOfUser {
  readonly userId: string;
  readonly decisions: readonly Decision[];
}

const bytesMax = 64 * 1024;

/**
 * Throws if a tool does not accept the arguments in the user's decision. Arguments for an MCP server whose tools are
 * unknown are checked when the call is executed.
 */
export async function assertArguments(
  { db, skills }: Pick<AgentServices, 'db' | 'skills'>,
  run: Pick<Schemas['Run'], 'agent_id' | 'required_action'>,
  { userId, decisions }: DecisionsOfUser,
): Promise<void> {
  const errors = decisions.flatMap((decision, i) => [...misplaced(decision, i), ...tooLarge(decision, i)]);
  if (errors.length > 0) throw validationError(errors);
  if (decisions.every(({ arguments: values }) => values === undefined)) return;
  const { skills: names } = await findAgentOfRun(db, { id: run.agent_id, userId });
  const tools = names.flatMap((name) => skills.get(name)?.lastList()?.tools ?? []);
  const refused = decisions.flatMap(({ tool_call_id: id, arguments: values }, i) => {
    const call = run.required_action?.tool_calls.find((each) => each.id === id);
    const tool = tools.find(({ name }) => name === call?.name);
    if (values === undefined || tool === undefined) return [];
    return tool
      .findErrors(values)
      .map((error) => ({ ...error, pointer: `/decisions/${i}/arguments${error.pointer}` }));
  });
  if (refused.length > 0) throw validationError(refused);
}

/** Errors for fields that only an approval may have, in a rejection. */
function misplaced({ approve, arguments: values, scope }: Decision, i: number): InvalidField[] {
  if (approve) return [];
  const fields = [...(values === undefined ? [] : ['arguments']), ...(scope === 'session' ? ['scope'] : [])];
  const detail = 'must be absent if the call is rejected';
  return fields.map((field) => ({ pointer: `/decisions/${i}/${field}`, code: 'conflicting', detail }));
}

function tooLarge({ arguments: values = {} }: Decision, i: number): InvalidField[] {
  if (Buffer.byteLength(JSON.stringify(values)) <= bytesMax) return [];
  const detail = `must not be larger than ${bytesMax} bytes as JSON`;
  return [{ pointer: `/decisions/${i}/arguments`, code: 'too_large', detail }];
}
