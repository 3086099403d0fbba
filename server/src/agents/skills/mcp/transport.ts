import { setTimeout } from 'node:timers/promises';
import {
  isJSONRPCResultResponse,
  isSpecType,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import type { McpSkillConfig } from '../../../config/config.ts';
import type { LimitedFetch } from './limited-fetch.ts';

export interface McpTransport {
  readonly transport: StreamableHTTPClientTransport;
  /** The names of listed tools whose definitions are invalid. They are left out. */
  readonly invalidTools: readonly string[];
  /** Resolves when the cancellations of calls have been sent, or after a time limit. */
  readonly sendCancellations: () => Promise<void>;
}

/** The code of the error by which a request ends if its stream ends without a response. */
export const streamEnded = -32_099;

const cancellationMs = 2000;

/** A transport to a server, which accepts the deviations from the protocol that common servers have. */
export function transportTo({ url, token }: McpSkillConfig, fetch: LimitedFetch['fetch']): McpTransport {
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
  // The client calls this before it validates the message.
  transport.onmessage = (message) => {
    if (isJSONRPCResultResponse(message)) invalidTools.push(...repair(message.result));
  };
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
  const sendCancellations = async (): Promise<void> => {
    if (cancellations.length === 0) return;
    await Promise.race([Promise.all(cancellations), setTimeout(cancellationMs, undefined, { ref: false })]);
  };
  return { transport, invalidTools, sendCancellations };
}

/** Removes nulls and invalid tools from a result, one by one, and returns the names of the tools. */
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

// The JSON in these members is the server's own, where null may be a value.
const foreign: readonly string[] = ['default', 'const', 'enum', 'examples', '_meta', 'structuredContent'];
const schemaValues: readonly string[] = ['default', 'const'];
const depthMax = 64;

/** Servers send null for optional members that are not set, which the protocol does not allow. */
function dropNulls(value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null || depth > depthMax) return;
  for (const [name, member] of Object.entries(value)) {
    const isUnset = member === null && !Array.isArray(value) && !schemaValues.includes(name);
    if (isUnset) Reflect.deleteProperty(value, name);
    else if (!foreign.includes(name)) dropNulls(member, depth + 1);
  }
}
