import type { Schemas } from '../operation.ts';
import type { Skills } from './skills/skills.ts';

type Warning = Schemas['AgentWarning'];

// Ten warnings are enough to find a mistake. A page of the list of agents may have a thousand agents.
const warningsMax = 10;

/** What this server has for agents. */
export interface Configured {
  /** By name. */
  readonly runtimes: ReadonlyMap<string, unknown>;
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
  return [
    ...unknownRuntime(runtime, runtimes),
    ...names.flatMap((name) => warningsOfSkill(name, skills)),
    ...unknownTools(approvals, names, skills),
  ].slice(0, warningsMax);
}

function unknownRuntime(name: string, runtimes: Configured['runtimes']): Warning[] {
  if (runtimes.has(name)) return [];
  return [{ code: 'unknown_runtime', detail: unknownRuntimeSentence(name, runtimes) }];
}

export function unknownRuntimeSentence(name: string, runtimes: Configured['runtimes']): string {
  const configured = [...runtimes.keys()].join(', ');
  return `The runtime "${name}" of this agent is not configured on this server. It has: ${configured}.`;
}

function warningsOfSkill(name: string, skills: Skills): Warning[] {
  const skill = skills.get(name);
  if (skill === undefined)
    return [
      {
        code: 'unknown_skill',
        detail: `There is no skill "${name}". The skills are: ${[...skills.keys()].join(', ')}.`,
      },
    ];
  const problem = skill.lastList()?.problem;
  if (problem === undefined) return [];
  return [
    { code: 'unavailable_skill', detail: `The tools of the skill "${name}" cannot be listed. ${problem}` },
  ];
}

/**
 * Warns of each name in `approvals` that no tool of the agent's skills has. Returns nothing while the tools of a skill
 * are unknown.
 */
function unknownTools(approvals: readonly string[], names: readonly string[], skills: Skills): Warning[] {
  const named = approvals.filter((name) => name !== '*');
  if (named.length === 0) return [];
  const lists = names.flatMap((name) => skills.get(name) ?? []).map((skill) => skill.lastList());
  if (lists.some((list) => list === undefined || list.problem !== undefined)) return [];
  const toolNames = new Set(lists.flatMap((list) => list?.tools ?? []).map(({ name }) => name));
  return named
    .filter((name) => !toolNames.has(name))
    .map((name) => ({
      code: 'unknown_tool',
      detail: `The approvals name "${name}", but no skill of the agent has a tool of this name.`,
    }));
}
