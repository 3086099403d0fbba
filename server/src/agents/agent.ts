import type { Selectable } from 'kysely';
import type { AgentRow } from '../db/tables.ts';
import type { Schemas } from '../contract/operation.ts';
import type { Runtime } from './runtimes/runtime.ts';
import type { Skills } from './skills/skills.ts';

export type StoredAgent = Omit<Selectable<AgentRow>, 'user_id' | 'archived_at'>;

/** The agent as clients receive it. It is active if this server has its runtime. */
export function agentFromRow(row: StoredAgent, configured: Configured): Schemas['Agent'] {
  const status = configured.runtimes.has(row.runtime) ? 'active' : 'unavailable';
  return { ...row, status, warnings: warningsOf(row, configured) };
}

type AgentFields = Omit<StoredAgent, 'id' | 'created_at'>;

/** The columns of a new agent. Fields that the body lacks have their defaults. */
export function newAgent(body: Schemas['AgentCreate'], runtime: string): AgentFields {
  const defaults = { runtime, skills: [], approvals: [], instructions: null, model_options: {} };
  return { ...defaults, ...writtenFields(body, runtime), name: body.name.trim() };
}

/** The columns that an update writes, for the fields in the body. An empty value restores the default. */
export function writtenFields(
  { name, runtime, skills, approvals, instructions, model_options: options }: Schemas['AgentUpdate'],
  defaultRuntime: string,
): Partial<AgentFields> {
  return {
    ...(name !== undefined && { name: name.trim() }),
    ...(runtime !== undefined && { runtime: nullIfBlank(runtime) ?? defaultRuntime }),
    ...(skills !== undefined && { skills: [...new Set(skills)] }),
    ...(approvals !== undefined && { approvals: [...new Set(approvals)] }),
    ...(instructions !== undefined && { instructions: nullIfBlank(instructions) }),
    ...(options !== undefined && { model_options: options }),
  };
}

function nullIfBlank(text: string | null): string | null {
  return text === null || text.trim() === '' ? null : text;
}

type Warning = Schemas['AgentWarning'];

// Ten warnings are enough to find a mistake, and keep a page with a thousand agents small.
const warningsMax = 10;

/** The runtimes and skills of this server. */
interface Configured {
  readonly runtimes: ReadonlyMap<string, Runtime>;
  readonly skills: Skills;
}

/**
 * The reasons why an agent cannot run, or may lack tools or approvals. They come from the last lists of tools, without a
 * request to an MCP server.
 */
export function warningsOf(
  { runtime, skills: names, approvals }: Pick<Schemas['Agent'], 'runtime' | 'skills' | 'approvals'>,
  { runtimes, skills }: Configured,
): Warning[] {
  const warnings: Warning[] = [];
  const warn = (code: Warning['code'], detail: string): unknown => warnings.push({ code, detail });
  if (!runtimes.has(runtime)) warn('unknown_runtime', unknownRuntimeSentence(runtime, runtimes));
  for (const name of names) {
    const skill = skills.get(name);
    const problem = skill?.lastList()?.problem;
    if (skill === undefined)
      warn('unknown_skill', `There is no skill "${name}". The skills are: ${[...skills.keys()].join(', ')}.`);
    else if (problem !== undefined)
      warn('unavailable_skill', `The tools of the skill "${name}" cannot be listed. ${problem}`);
  }
  const lists = names.map((name) => skills.get(name)?.lastList());
  const toolNames = new Set(['*', ...lists.flatMap((list) => list?.tools ?? []).map(({ name }) => name)]);
  // Do not warn if a list is missing, for example of an unknown skill, because it may have a tool with the name.
  const isComplete = lists.every((list) => list !== undefined && list.problem === undefined);
  for (const name of isComplete ? approvals.filter((each) => !toolNames.has(each)) : [])
    warn('unknown_tool', `The approvals name "${name}", but no skill of the agent has a tool of this name.`);
  return warnings.slice(0, warningsMax);
}

export function unknownRuntimeSentence(name: string, runtimes: Configured['runtimes']): string {
  const configured = [...runtimes.keys()].join(', ');
  return `The runtime "${name}" of this agent is not configured on this server. It has: ${configured}.`;
}

export function describeRuntimes(
  { runtimes, skills }: Configured,
  defaultRuntime: string,
): Schemas['RuntimeList'] {
  return {
    runtimes: [...runtimes].map(([name, { model, state }]) => {
      return { name, model, is_default: name === defaultRuntime, state };
    }),
    skills: [...skills].map(([skillName, skill]) => {
      const { tools, problem = null } = skill.lastList() ?? unanswered;
      const described = tools.map(({ name, description, inputSchema, needsApproval }) => {
        return { name, description, parameters: { ...inputSchema }, needs_approval: needsApproval };
      });
      return { name: skillName, tools: described, problem };
    }),
  };
}

const unanswered = { tools: [], problem: 'Its MCP server has not answered yet.' };
