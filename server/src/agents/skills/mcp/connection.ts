import { Client, SdkHttpError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { unlessAborted } from '../../../until-aborted.ts';
import type { McpSkillConfig } from '../../../config/config.ts';
import { limitedFetch, LimitExceeded, type LimitedFetch } from './limited-fetch.ts';

/** A connection to an MCP server for one list of its tools or one call. */
export interface McpConnection {
  readonly client: Client;
  /** Aborts when the time is over, or when the server exceeds a limit. */
  readonly signal: AbortSignal;
  readonly close: () => void;
}

/**
 * Connects to an MCP server by Streamable HTTP, in the newest revision of the protocol that both know. Rejects if it
 * cannot be reached, or refuses the token. Every request goes to the configured address: a redirect is an error.
 */
export async function connect(server: McpSkillConfig, until: AbortSignal): Promise<McpConnection> {
  const { fetch, signal } = limitedFetch(until);
  const transport = transportTo(server, fetch);
  const client = new Client(
    { name: 'worktable', version: '1' },
    // During a run, nobody answers questions of the server.
    { capabilities: {}, versionNegotiation: { mode: 'auto' }, inputRequired: { autoFulfill: false } },
  );
  const close = (): void => {
    // A session lasts until it is ended. Nothing waits for the server's response.
    void transport
      .terminateSession()
      .catch(() => undefined)
      .then(() => client.close())
      .catch(() => undefined);
  };
  try {
    // The client may continue to wait for a response that was cut off.
    await unlessAborted(signal, client.connect(transport, { signal }));
  } catch (error) {
    close();
    throw error;
  }
  return { client, signal, close };
}

function transportTo(
  { url, token }: McpSkillConfig,
  fetch: LimitedFetch['fetch'],
): StreamableHTTPClientTransport {
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  return new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { redirect: 'error', headers },
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

/**
 * An error for the log: its kind, codes and status. Messages of the client and of servers are left out, because they
 * quote responses, which may repeat the token and what the user wrote.
 */
export function loggable(error: unknown): Error {
  if (error instanceof LimitExceeded) return error;
  return new Error([...new Set(partsOf(error))].join(', '));
}

function partsOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const status = error instanceof SdkHttpError ? [`status ${error.status}`] : [];
  const code = 'code' in error ? [String(error.code)] : [];
  return [error.name, ...code, ...status, ...partsOf(error.cause)];
}
