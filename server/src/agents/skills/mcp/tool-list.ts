import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { logTransitions } from '../../../log.ts';
import type { McpSkillConfig } from '../../../config/config.ts';
import { truncateText } from '../../../tools/result-size.ts';
import { connect } from './connection.ts';
import { describeFailure, loggedFailure, NoTools } from './failure.ts';
import { usableTools, type UsableTool } from './usable-tools.ts';

const maxAgeMs = 5 * 60_000;
const retryMs = 10_000;
const timeoutMs = 10_000;

/** The last known tools, and the reason if they could not be listed. */
export interface ToolList {
  readonly tools: readonly UsableTool[];
  /** The reason as a sentence; undefined if the tools could be listed. */
  readonly problem: string | undefined;
}

interface McpTools {
  /**
   * Returns the last list, or asks the server: after five minutes, ten seconds after a failure, or if the list must be
   * fresh. While it asks again after a failure, it resolves to the last tools at once, unless they must be fresh. Never
   * rejects.
   */
  readonly list: (isFresh: boolean) => Promise<ToolList>;
  /** The last list; undefined before the first one. */
  readonly last: () => ToolList | undefined;
}

/** The tools of a server. While the server cannot be reached, runs continue with the tools that were last known. */
export function createToolList(server: McpSkillConfig, logger: Logger, onFailure: () => void): McpTools {
  const log = logger.child({ skill: `mcp:${server.name}` });
  const onResult = logTransitions(log, {
    failed: 'the tools of an MCP server cannot be listed',
    recovered: 'the tools of an MCP server can be listed again',
  });
  const onLeftOut = logLeftOut(log);
  const lists = new LRUCache<string, ToolList>({
    max: 1,
    ttl: maxAgeMs,
    fetchMethod: async (_name, last, { options }) => {
      try {
        const { usable, leftOut } = await listTools(server);
        onResult(undefined);
        onLeftOut(leftOut);
        return { tools: usable, problem: undefined };
      } catch (error) {
        onFailure();
        onResult(loggedFailure(server.name, error));
        options.ttl = retryMs;
        const problem = `The MCP server "${server.name}" ${describeFailure(error)}.`;
        return { tools: last?.tools ?? [], problem };
      }
    },
  });
  const last = (): ToolList | undefined => lists.peek(server.name, { allowStale: true });
  return {
    last,
    list: async (isFresh) => {
      // Runs do not wait for a server that did not answer the last time.
      const allowStale = !isFresh && last()?.problem !== undefined;
      const list = await lists.fetch(server.name, { forceRefresh: isFresh, allowStale });
      return list ?? { tools: [], problem: undefined };
    },
  };
}

/** Logs which tools are left out, each time this changes. */
function logLeftOut(log: Logger): (leftOut: readonly string[]) => void {
  let latest = '';
  return (leftOut) => {
    const names = leftOut.slice(0, 10);
    const isKnown = names.join() === latest;
    latest = names.join();
    if (names.length > 0 && !isKnown)
      log.warn({ count: leftOut.length, tools: names }, 'tools of an MCP server are left out');
  };
}

async function listTools(server: McpSkillConfig): Promise<ReturnType<typeof usableTools>> {
  const until = AbortSignal.timeout(timeoutMs);
  const { client, invalidTools, signal: exceeded, close } = await connect(server, until);
  const signal = AbortSignal.any([until, exceeded]);
  try {
    // Without this, the client would write to the console and return an empty list.
    if (client.getServerCapabilities()?.tools === undefined) throw new NoTools();
    const { tools } = await client.listTools(undefined, { signal });
    const { usable, leftOut } = usableTools(server.name, tools);
    const invalid = invalidTools.map((name) => `${truncateText(name, 100)}: its definition is invalid`);
    return { usable, leftOut: [...invalid, ...leftOut] };
  } catch (error) {
    // The client reports every abort as its own time limit, so throw the signal's reason.
    signal.throwIfAborted();
    throw error;
  } finally {
    void close();
  }
}
