import type { Tool as McpTool } from '@modelcontextprotocol/client';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { logTransitions } from '../../../ops/log.ts';
import type { McpSkillConfig } from '../../../config/config.ts';
import { depthExceeds } from '../../../lib/json.ts';
import { truncateText } from '../../../tools/result-size.ts';
import { unlessAborted } from '../../../lib/unless-aborted.ts';
import type { ListedTools, Skill, Tool } from '../tool.ts';
import { connect } from './connection.ts';
import { describeFailure } from './failure.ts';

const maxAgeMs = 5 * 60_000;
const retryMs = 10_000;
const timeoutMs = 10_000;

/** Makes a tool from a definition. `name` is the name that models use. */
type ToolFrom = (name: string, definition: McpTool) => Tool;

/**
 * The tools of a server. A list is used for five minutes, or for ten seconds after a failure, unless it must be fresh.
 * While the server cannot be reached, runs continue with the tools that were last known.
 */
export function createToolList(
  server: McpSkillConfig,
  toolFrom: ToolFrom,
  logger: Logger,
  onFailure: () => void,
): Skill {
  const log = logger.child({ skill: `mcp:${server.name}` });
  const onResult = logTransitions(log, {
    failed: 'tools of an MCP server cannot be listed, or are left out',
    recovered: 'all tools of an MCP server are listed again',
  });
  const lists = new LRUCache<string, ListedTools>({
    max: 1,
    ttl: maxAgeMs,
    fetchMethod: async (_name, last, { options }) => {
      try {
        const { tools, leftOut } = await listTools(server, toolFrom);
        onResult(leftOut.length === 0 ? undefined : `${leftOut.length}: ${leftOut.slice(0, 10).join('; ')}`);
        return { tools, problem: undefined };
      } catch (error) {
        onFailure();
        const problem = `The MCP server "${server.name}" ${describeFailure(error)}.`;
        onResult(problem);
        options.ttl = retryMs;
        return { tools: last?.tools ?? [], problem };
      }
    },
  });
  const lastList = (): ListedTools | undefined => lists.peek(server.name, { allowStale: true });
  return {
    lastList,
    listTools: async (signal, isFresh = false) => {
      // Use a stale list, so that runs do not wait for a server that failed the last time.
      const allowStale = !isFresh && lastList()?.problem !== undefined;
      const listing = lists.fetch(server.name, { forceRefresh: isFresh, allowStale });
      return (await unlessAborted(signal, listing))?.tools ?? [];
    },
  };
}

async function listTools(server: McpSkillConfig, toolFrom: ToolFrom) {
  const until = AbortSignal.timeout(timeoutMs);
  const { client, invalidTools, limits, close } = await connect(server, until);
  const signal = AbortSignal.any([until, limits.signal]);
  try {
    const { tools: definitions } = await client.listTools(undefined, { signal });
    const { tools, leftOut } = usableTools(server.name, definitions, toolFrom);
    const invalid = invalidTools.map((name) => `${truncateText(name, 100)}: its definition is invalid`);
    return { tools, leftOut: [...invalid, ...leftOut] };
  } catch (error) {
    // The client reports every abort as its own time limit, so throw the signal's reason.
    signal.throwIfAborted();
    throw error;
  } finally {
    void close();
  }
}

// The tools are limited, because a model reads all definitions in each step.
const toolsMax = 100;
const definitionBytesMax = 128 * 1024;
const depthMax = 64;
// The characters and length that common model servers accept.
const nameForModels = /^[\w-]{1,64}$/;

/** The tools that models can have, and the names of the other tools, with the reasons. */
function usableTools(server: string, definitions: readonly McpTool[], toolFrom: ToolFrom) {
  const nameOf = (tool: McpTool): string => `${server}__${tool.name.replaceAll(/[^\w-]/g, '_')}`;
  const uses = Map.groupBy(definitions, nameOf);
  const [tools, leftOut]: [Tool[], string[]] = [[], []];
  let bytesLeft = definitionBytesMax;
  for (const definition of definitions) {
    const name = nameOf(definition);
    let obstacle = uses.get(name)?.length === 1 ? obstacleOf(name, definition) : 'its name is not unique';
    if (obstacle === undefined) {
      const tool = toolFrom(name, definition);
      const bytes = bytesOf(tool);
      if (tools.length < toolsMax && bytes <= bytesLeft) {
        tools.push(tool);
        bytesLeft -= bytes;
      } else obstacle = 'the tools before it fill the limits';
    }
    if (obstacle !== undefined) leftOut.push(`${truncateText(definition.name, 100)}: ${obstacle}`);
  }
  return { tools, leftOut };
}

/** The size of a definition with the larger of its schemas: users see the whole schema, and models a simple one. */
function bytesOf({ description, parameters, inputSchema }: Tool): number {
  const sizes = [parameters, inputSchema].map((schema) => Buffer.byteLength(JSON.stringify(schema)));
  return Buffer.byteLength(description) + Math.max(...sizes);
}

/** The reason why models cannot have a tool; undefined if they can. */
function obstacleOf(name: string, { inputSchema, execution }: McpTool): string | undefined {
  if (!nameForModels.test(name)) return 'its name for models is longer than 64 characters';
  if (depthExceeds(inputSchema, depthMax)) return 'its schema is nested too deeply';
  if (execution?.taskSupport === 'required') return 'its calls must be tasks of the protocol';
  return undefined;
}
