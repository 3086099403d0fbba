import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { unlessAborted } from '../../../until-aborted.ts';
import type { McpSkillConfig } from '../../../config/config.ts';
import { limitedFetch, type LimitedFetch } from './limited-fetch.ts';

/** A connection to an MCP server, for one list of its tools or for the calls of a run. */
export interface McpConnection {
  readonly client: Client;
  /** True if the server has opened a session for this connection, in which it may keep state. */
  readonly hasSession: boolean;
  /** Aborts when the server exceeds a limit of a list or a call. */
  readonly signal: AbortSignal;
  /** Resets the count of bytes that the server sends, for the next call. */
  readonly restartLimits: () => void;
  /** Ends the session, and resolves when the server has answered or has had its time to do so. Never rejects. */
  readonly close: () => Promise<void>;
}

/**
 * Connects to an MCP server by Streamable HTTP, in the newest revision of the protocol that both know. Rejects if it
 * cannot be reached, or refuses the token. Every request goes to the configured address: a redirect is an error.
 */
export async function connect(server: McpSkillConfig, until: AbortSignal): Promise<McpConnection> {
  const { fetch, signal: exceeded, restart } = limitedFetch();
  const transport = transportTo(server, fetch);
  const client = new Client(
    { name: 'worktable', version: '1' },
    // Nobody can answer questions of the server during a run.
    { capabilities: {}, versionNegotiation: { mode: 'auto' }, inputRequired: { autoFulfill: false } },
  );
  const close = async (): Promise<void> => {
    const ended = transport.terminateSession();
    // Cuts off the other requests of the connection.
    const closed = client.close();
    await Promise.allSettled([ended, closed]);
  };
  const signal = AbortSignal.any([until, exceeded]);
  try {
    // The client may continue to wait for a response that was cut off.
    await unlessAborted(signal, client.connect(transport, { signal }));
  } catch (error) {
    void close();
    throw error;
  }
  const hasSession = transport.sessionId !== undefined;
  return { client, hasSession, signal: exceeded, restartLimits: restart, close };
}

function transportTo(
  { url, token }: McpSkillConfig,
  fetch: LimitedFetch['fetch'],
): StreamableHTTPClientTransport {
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  return new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers },
    fetch,
    // A call whose response was lost must not be sent again.
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: 0,
      maxReconnectionDelay: 0,
      reconnectionDelayGrowFactor: 1,
    },
  });
}
