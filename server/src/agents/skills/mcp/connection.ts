import { setTimeout } from 'node:timers/promises';
import {
  Client,
  isJSONRPCResultResponse,
  isSpecType,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { unlessAborted } from '../../../lib/unless-aborted.ts';
import type { McpSkillConfig } from '../../../config/config.ts';
import { streamEnded } from './failure.ts';
import { limitedFetch } from './limited-fetch.ts';

/** A connection to an MCP server, either to list its tools or for the calls of one run. */
export interface McpConnection {
  readonly client: Client;
  /** The names of listed tools whose definitions are invalid. They are left out. */
  readonly invalidTools: readonly string[];
  /** True if the server has opened a session for this connection, in which it may keep state. */
  readonly hasSession: boolean;
  /** Aborts when the server exceeds a limit. */
  readonly signal: AbortSignal;
  /** Resets the counters of the limits, for the next call. */
  readonly restartLimits: () => void;
  /** Ends the session. Resolves when the server has answered or a time limit has passed; never rejects. */
  readonly close: () => Promise<void>;
}

const cancellationMs = 2000;

/**
 * Connects to an MCP server by Streamable HTTP, in the newest revision of the protocol that client and server know.
 * Rejects if the server cannot be reached or refuses the token. All requests go to the configured address; a redirect
 * is an error. Accepts the deviations from the protocol that common servers have.
 */
export async function connect({ url, token }: McpSkillConfig, until: AbortSignal): Promise<McpConnection> {
  const { fetch, signal: exceeded, restart } = limitedFetch();
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers },
    fetch,
    // A stream that ends is resumed if its events have ids. No call is sent again.
    reconnectionOptions: {
      maxRetries: 2,
      initialReconnectionDelay: 500,
      maxReconnectionDelay: 5000,
      reconnectionDelayGrowFactor: 2,
    },
  });
  const invalidTools: string[] = [];
  // Repair results here, because the client calls this before it validates the message.
  transport.onmessage = (message) => {
    if (isJSONRPCResultResponse(message)) invalidTools.push(...repair(message.result));
  };
  const cancellations = watchRequests(transport);
  const client = new Client(
    { name: 'worktable', version: '1' },
    // Disable the server's questions, because nobody can answer them during a run.
    { capabilities: {}, versionNegotiation: { mode: 'auto' }, inputRequired: { autoFulfill: false } },
  );
  const close = async (): Promise<void> => {
    if (cancellations.length > 0)
      await Promise.race([Promise.all(cancellations), setTimeout(cancellationMs, undefined, { ref: false })]);
    const ended = transport.terminateSession();
    // Closing the client aborts all of its requests except the one that ends the session.
    const closed = client.close();
    await Promise.allSettled([ended, closed]);
  };
  const signal = AbortSignal.any([until, exceeded]);
  try {
    // Without `unlessAborted`, the client could keep waiting for a response that was aborted.
    await unlessAborted(signal, client.connect(transport, { signal }));
  } catch (error) {
    void close();
    throw error;
  }
  const hasSession = transport.sessionId !== undefined;
  return { client, invalidTools, hasSession, signal: exceeded, restartLimits: restart, close };
}

/** Makes a request fail if its stream ends without a response. Returns the cancellations that are being sent. */
function watchRequests(transport: StreamableHTTPClientTransport): readonly Promise<void>[] {
  const cancellations: Promise<void>[] = [];
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    const onRequestStreamEnd = (): void => {
      if (!('id' in message) || message.id === undefined) return;
      const error = { code: streamEnded, message: 'The stream ended without a response.' };
      transport.onmessage?.({ jsonrpc: '2.0', id: message.id, error });
    };
    const sent = send(message, { onRequestStreamEnd, ...options });
    if ('method' in message && message.method === 'notifications/cancelled')
      cancellations.push(sent.catch(() => undefined));
    return sent;
  };
  return cancellations;
}

/** Removes nulls and invalid tools from a result, and returns the names of the removed tools. */
function repair(result: Record<string, unknown>): string[] {
  dropNulls(result, 0);
  if (!Array.isArray(result['tools'])) return [];
  const tools: unknown[] = result['tools'];
  const { valid = [], invalid = [] } = Object.groupBy(tools, (tool) =>
    isSpecType.Tool(tool) ? 'valid' : 'invalid',
  );
  result['tools'] = valid;
  return invalid.map((tool) => String((Object(tool) as { name?: unknown }).name));
}

// Members whose JSON the server defines, so a null in them may be a value.
const foreign: readonly string[] = ['default', 'const', 'enum', 'examples', '_meta', 'structuredContent'];
const schemaValues: readonly string[] = ['default', 'const'];
const depthMax = 64;

/** Removes null members. Servers send them for optional members without a value, which the protocol does not allow. */
function dropNulls(value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null || depth > depthMax) return;
  for (const [name, member] of Object.entries(value)) {
    const isUnset = member === null && !Array.isArray(value) && !schemaValues.includes(name);
    if (isUnset) Reflect.deleteProperty(value, name);
    else if (!foreign.includes(name)) dropNulls(member, depth + 1);
  }
}
