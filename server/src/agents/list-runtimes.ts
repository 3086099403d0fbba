import type { Schemas } from '../operation.ts';
import type { Agents } from './services.ts';
import type { Skill, Tool } from './skills/tool.ts';

// A working server takes less time, and a page can wait this long.
const listMs = 2000;

/** What agents can have: the runtimes, and the skills with their tools. */
export async function findRuntimes({
  config,
  runtimes,
  skills,
}: Pick<Agents, 'config' | 'runtimes' | 'skills'>): Promise<Schemas['RuntimeList']> {
  const signal = AbortSignal.timeout(listMs);
  return {
    runtimes: [...runtimes].map(([name, { model, state }]) => ({
      name,
      model,
      is_default: name === config.defaultRuntime,
      state: state(),
    })),
    skills: await Promise.all([...skills].map(([name, skill]) => describeSkill(name, skill, signal))),
  };
}

async function describeSkill(name: string, skill: Skill, signal: AbortSignal): Promise<Schemas['Skill']> {
  // The last list says what is wrong.
  await skill.listTools({ signal }).catch(() => undefined);
  const { tools, problem = null } = skill.lastList() ?? unanswered;
  return { name, tools: tools.map(describeTool), problem };
}

const unanswered = { tools: [], problem: 'Its MCP server has not answered yet.' };

function describeTool({ name, description, needsApproval }: Tool): Schemas['SkillTool'] {
  return { name, description, needs_approval: needsApproval };
}
