import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { logTransitions } from '../../../log.ts';
import type { McpSkillConfig } from '../../../config/config.ts';
import { connect } from './connection.ts';
import { loggedFailure, NoTools } from './failure.ts';
import { usableTools, type UsableTool } from './usable-tools.ts';

const maxAgeMs = 5 * 60_000;
const retryMs = 10_000;
const timeoutMs = 10_000;

/**
 * The tools of a server, listed again in the background when they are used after five minutes. While the server cannot be
 * reached these are the last known ones, or none: a run continues without them.
 */
export function createToolList(server: McpSkillConfig, logger: Logger): () => Promise<readonly UsableTool[]> {
  const log = logger.child({ skill: `mcp:${server.name}` });
  const onResult = logTransitions(log, {
    failed: 'the tools of an MCP server cannot be listed',
    recovered: 'the tools of an MCP server can be listed again',
  });
  const onLeftOut = logLeftOut(log);
  const lists = new LRUCache<string, readonly UsableTool[]>({
    max: 1,
    ttl: maxAgeMs,
    fetchMethod: async (_name, last, { options }) => {
      try {
        const { usable, leftOut } = await listTools(server);
        onResult(undefined);
        onLeftOut(leftOut);
        return usable;
      } catch (error) {
        onResult(loggedFailure(server.name, error));
        options.ttl = retryMs;
        return last ?? [];
      }
    },
  });
  return async () => {
    const last = lists.peek(server.name, { allowStale: true }) ?? [];
    // While no tools are known, a run waits for the list: the server may be reachable again.
    return (await lists.fetch(server.name, { allowStale: last.length > 0 })) ?? [];
  };
}

/** Logs which tools are left out, whenever they are others than the last time. */
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
  const { client, signal: exceeded, close } = await connect(server, until);
  const signal = AbortSignal.any([until, exceeded]);
  try {
    // Otherwise the client would write to the console and return an empty list.
    if (client.getServerCapabilities()?.tools === undefined) throw new NoTools();
    const { tools } = await client.listTools(undefined, { signal });
    return usableTools(server.name, tools);
  } catch (error) {
    // The client reports any abort as its own time limit.
    signal.throwIfAborted();
    throw error;
  } finally {
    void close();
  }
}
