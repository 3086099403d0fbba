import type { Schemas } from '../operation.ts';
import type { AgentServices } from './services.ts';
import type { Skill, Tool } from './skills/tool.ts';

// Enough for a working MCP server to list its tools, and short enough for a page that waits for the response.
const listMs = 2000;

/** Asks the MCP servers whose tools are unknown. `lastList` of a skill then has its tools or the problem. */
export async function knowTools(skills: AgentServices['skills']): Promise<void> {
  const signal = AbortSignal.timeout(listMs);
  await Promise.allSettled([...skills.values()].map((skill) => skill.listTools({ signal })));
}

/** The runtimes and skills that agents can have, with the tools of each skill. */
export function describeRuntimes({
  config,
  runtimes,
  skills,
}: Pick<AgentServices, 'config' | 'runtimes' | 'skills'>): Schemas['RuntimeList'] {
  return {
    runtimes: [...runtimes].map(([name, { model, state }]) => ({
      name,
      model,
      is_default: name === config.defaultRuntime,
      state,
    })),
    skills: [...skills].map(([name, skill]) => describeSkill(name, skill)),
  };
}

function describeSkill(name: string, skill: Skill): Schemas['Skill'] {
  const { tools, problem = null } = skill.lastList() ?? unanswered;
  return { name, tools: tools.map(describeTool), problem };
}

const unanswered = { tools: [], problem: 'Its MCP server has not answered yet.' };

function describeTool({ name, description, parameters, needsApproval }: Tool): Schemas['SkillTool'] {
  return { name, description, parameters: { ...parameters }, needs_approval: needsApproval };
}
