import type { Logger } from 'pino';
import type { OperationId, CallOperation } from '../../operation.ts';
import type { AgentsConfig } from '../../config/config.ts';
import { operationTool } from './operation-tool.ts';
import { changingTools, readingTools } from './tasks.ts';
import type { Skill, Tool } from './tool.ts';
import { chartTool } from './viz.ts';

export type Skills = ReadonlyMap<string, Skill>;

interface SkillsOptions {
  readonly config: AgentsConfig;
  readonly callOperation: CallOperation;
  /** Whether this server has an operation. Tools of other operations are left out. */
  readonly hasOperation: (operation: OperationId) => boolean;
  readonly logger: Logger;
}

/** The skills of this server by name: its own areas, and the configured MCP servers. */
export async function createSkills({ config, logger, ...operations }: SkillsOptions): Promise<Skills> {
  const skills = skillsOfThisServer(operations).map(
    ([name, tools]) => [name, () => Promise.resolve(tools)] as const,
  );
  if (config.mcpSkills.length === 0) return new Map(skills);
  // Loading the client takes a while, so load it only if it is used.
  const { mcpSkill } = await import('./mcp/mcp-skill.ts');
  const { toolMs } = config;
  const configured = config.mcpSkills.map(
    (server) => [`mcp:${server.name}`, mcpSkill(server, { toolMs, logger })] as const,
  );
  return new Map([...skills, ...configured]);
}

function skillsOfThisServer({
  callOperation,
  hasOperation,
}: Pick<SkillsOptions, 'callOperation' | 'hasOperation'>): (readonly [string, readonly Tool[]])[] {
  const reading = readingTools.filter(({ operation }) => hasOperation(operation));
  const changing = changingTools.filter(({ operation }) => hasOperation(operation));
  return [
    ['tasks', [...changing, ...reading].map((tool) => operationTool(callOperation, tool))],
    ['tasks:read', reading.map((tool) => operationTool(callOperation, tool))],
    ['viz', hasOperation('renderPng') ? [chartTool(callOperation)] : []],
  ];
}

/** The tools of an agent's skills, without duplicates. Unknown skills have none. */
export async function toolsOf(
  skills: Skills,
  names: readonly string[],
  signal: AbortSignal,
): Promise<readonly Tool[]> {
  const tools = await Promise.all(names.flatMap((name) => skills.get(name)?.(signal) ?? []));
  return [...new Map(tools.flat().map((tool) => [tool.name, tool])).values()];
}
