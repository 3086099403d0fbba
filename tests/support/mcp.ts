import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';

/** A protocol revision that the server supports. */
type Revision = '2026-07-28' | '2025-11-25';

export const revisions: readonly Revision[] = ['2026-07-28', '2025-11-25'];

export const clientName = 'the-tests';

/** Connects the official client until the test has ended. */
export async function connectMcp(
  { url }: { readonly url: string },
  token: string,
  revision: Revision = '2026-07-28',
  fetchWith: typeof fetch = fetch,
): Promise<Client> {
  const client = new Client(
    { name: clientName, version: '1.0.0' },
    { versionNegotiation: { mode: revision === '2026-07-28' ? { pin: revision } : 'legacy' } },
  );
  const headers = { Authorization: `Bearer ${token}`, 'User-Agent': `${clientName}/1.0.0` };
  const options = { requestInit: { headers }, fetch: fetchWith };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), options));
  onTestFinished(() => client.close());
  // Once it has listed the tools, the client validates each result by the output schema of its tool.
  await client.listTools();
  return client;
}

export interface ToolResult {
  /** The structured content. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly isError: boolean;
  readonly images: readonly { readonly data: string; readonly mimeType: string }[];
}

/** Calls a tool with the official client, which validates the result by the tool's own output schema. */
export async function callTool(client: Client, name: string, values: object = {}): Promise<ToolResult> {
  const { content, structuredContent, isError } = await client.callTool({
    name,
    arguments: { ...values },
  });
  return {
    fields: { ...(structuredContent as object | undefined) },
    text: content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n'),
    isError: isError === true,
    images: content.flatMap((block) => (block.type === 'image' ? [block] : [])),
  };
}

/** The `_meta` of every request in revision 2026-07-28. */
const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: clientName, version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A message of revision 2026-07-28 as text. */
export function message(method: string, params: object = {}): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: envelope } });
}

interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The JSON-RPC message of the response, or the problem details of a request that is refused before. */
  readonly body: {
    readonly result?: unknown;
    readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
    readonly detail?: string;
  };
  readonly text: string;
}

interface RawOptions {
  readonly token?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends any body to the endpoint. */
export async function sendMcp(
  { url }: { readonly url: string },
  body: string | undefined,
  { token, method = 'POST', headers = {} }: RawOptions = {},
): Promise<RawAnswer> {
  const response = await fetch(new URL('/mcp', url), {
    method,
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  const isJson =
    text !== '' && /^application\/(?:problem\+)?json/.test(response.headers.get('Content-Type') ?? '');
  const answer = { status: response.status, headers: response.headers, text };
  return { ...answer, body: (isJson ? JSON.parse(text) : {}) as RawAnswer['body'] };
}

/** Sends a message of revision 2026-07-28 with the headers that repeat parts of the message. */
export function sendMessage(
  server: { readonly url: string },
  token: string,
  method: string,
  params: Readonly<Record<string, unknown>> & { readonly name?: string } = {},
  otherHeaders: Readonly<Record<string, string>> = {},
): Promise<RawAnswer> {
  const { name } = params;
  const headers = {
    ...otherHeaders,
    'MCP-Protocol-Version': '2026-07-28',
    'Mcp-Method': method,
    ...(name === undefined ? {} : { 'Mcp-Name': name }),
  };
  return sendMcp(server, message(method, params), { token, headers });
}
