import type { Schemas } from '../operation.ts';
import type { Skills } from './skills/skills.ts';

type Warning = Schemas['AgentWarning'];

// Ten warnings are enough to find a mistake. A page of the list of agents may have a thousand agents.
const warningsMax = 10;

/**
 * The reasons why an agent may lack tools or approvals. They come from the last lists of tools, without a request to an
 * MCP server.
 */
export function warningsOf(
  { skills: names, approvals }: Pick<Schemas['Agent'], 'skills' | 'approvals'>,
  skills: Skills,
): Warning[] {
  const skillWarnings = names.flatMap((name) => warningsOfSkill(name, skills));
  return [...skillWarnings, ...unknownTools(approvals, names, skills)].slice(0, warningsMax);
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
