import { setTimeout } from 'node:timers/promises';
import { Client, isSpecType, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { unlessAborted } from '../../../lib/unless-aborted.ts';
import type { McpSkillConfig } from '../../../config/config.ts';
import { asObject, isObject, type Json } from '../../../lib/json.ts';
import { isUnsent, streamEnded } from './failure.ts';
import { limitedFetch } from './limited-fetch.ts';

/** A connection to an MCP server, either to list its tools or for the calls of one run. */
export type McpConnection = Awaited<ReturnType<typeof connectIn>>;

const cancellationMs = 2000;
const probeMs = 4000;

/**
 * Connects to an MCP server by Streamable HTTP, in the newest revision of the protocol that client and server know.
 * Rejects if the server cannot be reached or refuses the token. All requests go to the configured address; a redirect
 * is an error. Accepts the deviations from the protocol that common servers have.
 */
export async function connect(server: McpSkillConfig, until: AbortSignal): Promise<McpConnection> {
  try {
    return await connectIn('auto', server, until);
  } catch (error) {
    // Some servers of older revisions do not answer the request that asks for the newest one, or answer it with a 500.
    if (until.aborted || isUnsent(error)) throw error;
    return await connectIn('legacy', server, until);
  }
}

async function connectIn(mode: 'auto' | 'legacy', { url, token }: McpSkillConfig, until: AbortSignal) {
  /** The names of listed tools whose definitions are invalid. They are left out. */
  const invalidTools: string[] = [];
  const limited = limitedFetch((message) => void invalidTools.push(...repair(message)));
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  // The transport resumes a stream that breaks, if its events have ids. It repeats no call.
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers },
    fetch: limited.fetch,
  });
  const cancellations = watchRequests(transport);
  const client = new Client(
    { name: 'worktable', version: '1' },
    // Disable the server's questions, because nobody can answer them during a run.
    {
      capabilities: {},
      versionNegotiation: { mode, probe: { timeoutMs: probeMs } },
      inputRequired: { autoFulfill: false },
    },
  );
  /** Ends the session. Resolves when the server has answered or a time limit has passed; never rejects. */
  const close = async (): Promise<void> => {
    await Promise.race([Promise.all(cancellations), setTimeout(cancellationMs, undefined, { ref: false })]);
    const ended = transport.terminateSession();
    // Closing the client aborts all of its requests except the one that ends the session.
    const closed = client.close();
    await Promise.allSettled([ended, closed]);
  };
  const signal = AbortSignal.any([until, limited.signal]);
  try {
    // Without `unlessAborted`, the client could keep waiting for a response that was aborted.
    await unlessAborted(signal, client.connect(transport, { signal }));
  } catch (error) {
    void close();
    throw error;
  }
  /** True if the server has opened a session for this connection, in which it may keep state. */
  const hasSession = transport.sessionId !== undefined;
  return { client, invalidTools, hasSession, limits: limited, close };
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
    if ('id' in message || !('method' in message)) return sent;
    // Some servers refuse notifications, although nothing depends on their outcome.
    const settled = sent.catch(() => undefined);
    if (message.method === 'notifications/cancelled') cancellations.push(settled);
    return settled;
  };
  return cancellations;
}

/** Repairs a message that the client would reject as a whole. Returns the names of the tools that are removed. */
function repair(message: Json): string[] {
  dropNulls(message, 0);
  // Without an id, it is a notification, or the body of an HTTP error.
  if (message['id'] === undefined) return [];
  Reflect.set(message, 'jsonrpc', '2.0');
  const result = asObject(message['result']) as Record<string, unknown> | undefined;
  if (result === undefined) return [];
  // Without the capability, the client would write to the console and list no tools. The server's name is not used.
  if (result['capabilities'] !== undefined)
    Object.assign(result, { serverInfo: { name: '', version: '' }, capabilities: { tools: {} } });
  const { content, structuredContent: fields, tools } = result;
  if (content !== undefined) result['content'] = [content].flat().map(readable);
  if (fields !== undefined && asObject(fields) === undefined)
    result['structuredContent'] = { result: fields };
  if (!Array.isArray(tools)) return [];
  for (const tool of tools.filter(isObject)) {
    // Calls use neither the schema of results nor icons, so an error there must not exclude the tool.
    for (const name of ['outputSchema', 'icons']) Reflect.deleteProperty(tool, name);
    const { inputSchema: schema = {} } = tool;
    if (isObject(schema)) Reflect.set(tool, 'inputSchema', { type: 'object', ...schema });
  }
  const { valid = [], invalid = [] } = Object.groupBy(tools, (tool) =>
    isSpecType.Tool(tool) ? 'valid' : 'invalid',
  );
  result['tools'] = valid;
  return invalid.map((tool) => String(asObject(tool)?.['name']));
}

/** A block of content. A block that the client would reject becomes text. */
function readable(block: unknown): unknown {
  if (isSpecType.ContentBlock(block)) return block;
  return { type: 'text', text: typeof block === 'string' ? block : JSON.stringify(block) };
}

// Members whose JSON the server defines, so a null in them may be a value.
const foreign: readonly string[] = ['default', 'const', 'enum', 'examples', '_meta', 'structuredContent'];
const schemaValues: readonly string[] = ['default', 'const'];
const objects: readonly string[] = ['properties', '_meta', 'annotations'];
const depthMax = 64;

/**
 * Removes null members, which servers send for optional members without a value. Also removes empty lists in the place
 * of objects, because PHP sends an empty object as a list.
 */
function dropNulls(value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null || depth > depthMax) return;
  for (const [name, member] of Object.entries(value)) {
    const isEmpty = objects.includes(name) && Array.isArray(member) && member.length === 0;
    const isUnset = (member === null && !Array.isArray(value) && !schemaValues.includes(name)) || isEmpty;
    if (isUnset) Reflect.deleteProperty(value, name);
    else if (!foreign.includes(name)) dropNulls(member, depth + 1);
  }
}
