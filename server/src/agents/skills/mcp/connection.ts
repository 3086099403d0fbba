import { Client } from '@modelcontextprotocol/client';
import { unlessAborted } from '../../../until-aborted.ts';
import type { McpSkillConfig } from '../../../config/config.ts';
import { limitedFetch } from './limited-fetch.ts';
import { transportTo, type McpTransport } from './transport.ts';

/** A connection to an MCP server, either to list its tools or for the calls of one run. */
export interface McpConnection extends Pick<McpTransport, 'invalidTools'> {
  readonly client: Client;
  /** True if the server has opened a session for this connection, in which it may keep state. */
  readonly hasSession: boolean;
  /** Aborts when the server exceeds a limit. */
  readonly signal: AbortSignal;
  /** Resets the counters of the limits, for the next call. */
  readonly restartLimits: () => void;
  /** Ends the session. Resolves when the server has answered or a time limit has passed; never rejects. */
  readonly close: () => Promise<void>;
}

/**
 * Connects to an MCP server by Streamable HTTP, in the newest revision of the protocol that both know. Rejects if the
 * server cannot be reached or refuses the token. All requests go to the configured address; a redirect is an error.
 */
export async function connect(server: McpSkillConfig, until: AbortSignal): Promise<McpConnection> {
  const { fetch, signal: exceeded, restart } = limitedFetch();
  const { transport, invalidTools, sendCancellations } = transportTo(server, fetch);
  const client = new Client(
    { name: 'worktable', version: '1' },
    // During a run, nobody can answer questions of the server.
    { capabilities: {}, versionNegotiation: { mode: 'auto' }, inputRequired: { autoFulfill: false } },
  );
  const close = async (): Promise<void> => {
    await sendCancellations();
    const ended = transport.terminateSession();
    // Closing the client aborts its other requests.
    const closed = client.close();
    await Promise.allSettled([ended, closed]);
  };
  const signal = AbortSignal.any([until, exceeded]);
  try {
    // The client may keep waiting for a response that was aborted.
    await unlessAborted(signal, client.connect(transport, { signal }));
  } catch (error) {
    void close();
    throw error;
  }
  const hasSession = transport.sessionId !== undefined;
  return { client, invalidTools, hasSession, signal: exceeded, restartLimits: restart, close };
}
