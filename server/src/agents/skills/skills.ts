import type { Logger } from 'pino';
import type { AgentsConfig } from '../../config/config.ts';
import { Problem } from '../../contract/problem.ts';
import type { Metrics } from '../../ops/metrics.ts';
import type { Contract } from '../../contract/contract.ts';
import type { CallOperation } from '../../contract/operation.ts';
import { argumentError, type Fields } from '../../tools/arguments.ts';
import type { AgentOperation, AgentTool } from '../../tools/catalogue.ts';
import type { OperationTool } from '../../tools/operation-tool.ts';
import { simpleSchema } from '../../tools/portable-schema.ts';
import { effects } from '../../tools/tool-entry.ts';
import type { Skill, Tool } from './tool.ts';

export type Skills = ReadonlyMap<string, Skill>;

export interface SkillsOptions {
  readonly config: AgentsConfig;
  readonly callOperation: CallOperation<AgentOperation>;
  readonly validateRequest: Contract['validate'];
  readonly tools: readonly OperationTool<AgentTool>[];
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** The skills of this server by name: its own, and one for each configured MCP server. */
export async function createSkills(options: SkillsOptions): Promise<Skills> {
  const { config, tools, logger, metrics } = options;
  const skills = new Map<string, Skill>();
  for (const name of new Set(tools.flatMap(({ entry }) => entry.skills))) {
    const ofSkill = tools.filter(({ entry }) => entry.skills.some((each) => each === name));
    const own = ofSkill.map((tool) => ownTool(tool, options));
    const lastList = { tools: own, problem: undefined };
    skills.set(name, { listTools: () => Promise.resolve(own), lastList: () => lastList });
  }
  if (config.mcpSkills.length === 0) return skills;
  // The client is loaded only if an MCP server is configured, because loading takes a while.
  const { mcpSkill } = await import('./mcp/mcp-skill.ts');
  for (const server of config.mcpSkills) {
    const name = `mcp:${server.name}`;
    const onFailure = (): void => {
      metrics.mcpFailures.inc({ skill: name });
    };
    skills.set(name, mcpSkill(server, config.toolMs, logger, onFailure));
  }
  return skills;
}

/**
 * A catalogue tool. It calls its operation in this process, without the limits of HTTP requests, and returns the
 * operation's write, which the run commits.
 */
function ownTool(tool: OperationTool<AgentTool>, { callOperation, validateRequest }: SkillsOptions): Tool {
  const { entry, inputSchema, requestFrom, call } = tool;
  return {
    name: entry.name,
    description: entry.description,
    inputSchema,
    parameters: simpleSchema(inputSchema),
    isRepeatable: true,
    needsApproval: effects[entry.effect].needsApproval,
    identity: () => entry.name,
    findErrors: (values) => {
      try {
        // Clone the values, because validation changes its input: it adds defaults and drops unknown fields.
        validateRequest(entry.operation, requestFrom(structuredClone(values)));
        return [];
      } catch (error) {
        if (!(error instanceof Problem) || error.options.errors === undefined) throw error;
        return error.options.errors.map(argumentError);
      }
    },
    call: async (values, { caller, context }) => {
      const result = await call(withContext(values, context, entry), (request) =>
        callOperation(entry.operation, { caller, ...request }),
      );
      const { write } = result.response;
      if ('fields' in result) return { content: JSON.stringify(result.fields), attachments: null, write };
      // The user receives the picture, the model only a reference to it.
      const name = 'chart.png';
      return {
        content: JSON.stringify({ shown_to_user: name }),
        attachments: [{ media_type: 'image/png', name, data_base64: result.picture }],
        write,
      };
    },
  };
}

/** Takes the arguments in `fromContext` from the context of the run if they are absent, null or empty. */
function withContext(values: Fields, context: Fields, { fromContext = [] }: AgentTool): Fields {
  const unset = fromContext.filter((name) => (values[name] ?? '') === '');
  return { ...values, ...Object.fromEntries(unset.map((name) => [name, context[name]])) };
}

/** The tools of an agent's skills, without duplicates. Unknown skills have no tools. */
export async function toolsOf(
  skills: Skills,
  names: readonly string[],
  ...list: Parameters<Skill['listTools']>
): Promise<readonly Tool[]> {
  const tools = await Promise.all(names.flatMap((name) => skills.get(name)?.listTools(...list) ?? []));
  return [...new Map(tools.flat().map((tool) => [tool.name, tool])).values()];
}

// Long enough for a working MCP server to list its tools, and short enough for a page that waits for the response.
const listMs = 2000;

/** Lists the tools of MCP servers without a recent list. `lastList` then has the result, unless a server is slow. */
export async function knowTools(skills: Skills): Promise<void> {
  const signal = AbortSignal.timeout(listMs);
  await Promise.allSettled([...skills.values()].map((skill) => skill.listTools(signal)));
}
