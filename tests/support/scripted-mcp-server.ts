import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { startHttpServer } from './http-server.ts';

interface Request {
  readonly id?: number | string;
  readonly method: string;
  readonly params?: { readonly name?: string; readonly arguments?: object };
}

/** Sends the response to a call of a tool. */
export type CallResponse = (response: ServerResponse, request: Request) => void;

export interface ScriptedMcpServer {
  readonly url: string;
  /** The tools that the server lists, valid or not. If undefined, it does not know the method `tools/list`. */
  tools: readonly object[] | undefined;
  respond: CallResponse;
  /** Other fields in the results of `initialize` and `tools/list`. */
  fields: object;
  /** The status of responses to notifications and unknown requests; by default 202 and 400. */
  unknownStatus: number | undefined;
  /** Answers a request, or returns false to leave the request to the server. */
  intercept: ((request: IncomingMessage, response: ServerResponse) => unknown) | undefined;
  /** Returns the id of a new session. If undefined, the server has no sessions. */
  openSession: (() => string) | undefined;
  /** Answers a request to resume a stream after an event. */
  resume: (response: ServerResponse, lastEventId: string) => void;
  /** The names of the tools that were called. */
  readonly calls: readonly string[];
  /** The methods of the notifications that were received. */
  readonly notifications: readonly string[];
  readonly authorizations: ReadonlySet<string | undefined>;
  readonly stop: () => void;
}

/** Starts an MCP server of revision 2025-11-25 whose lists and results can be anything. */
export async function startScriptedMcpServer(
  tools: readonly object[] = writeAndRead,
  respond: CallResponse = resultResponse('Done.'),
): Promise<ScriptedMcpServer> {
  const calls: string[] = [];
  const notifications: string[] = [];
  const authorizations = new Set<string | undefined>();
  const { url, stop } = await startHttpServer((request, response) => {
    void handle(request, response);
  });
  const scripted: ScriptedMcpServer = {
    url: `${url}/mcp`,
    ...{ tools, respond, calls, notifications, authorizations, stop, fields: {} },
    ...{ intercept: undefined, openSession: undefined, unknownStatus: undefined },
    resume: (response) => response.writeHead(405).end(),
  };
  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    authorizations.add(incoming.headers.authorization);
    if (scripted.intercept !== undefined && scripted.intercept(incoming, response) !== false) return;
    const { 'last-event-id': lastEventId } = incoming.headers;
    if (incoming.method === 'GET') {
      scripted.resume(response, String(lastEventId));
      return;
    }
    const request = await read(incoming);
    switch (request?.method) {
      case 'initialize':
        if (scripted.openSession !== undefined) response.setHeader('Mcp-Session-Id', scripted.openSession());
        sendResult(response, request, {
          protocolVersion: '2025-11-25',
          capabilities: { tools: {} },
          serverInfo: { name: 'scripted', version: '1' },
          ...scripted.fields,
        });
        return;
      case 'tools/list':
        if (scripted.tools === undefined) errorResponse('Unknown method.', -32_601)(response, request);
        else sendResult(response, request, { tools: scripted.tools, ...scripted.fields });
        return;
      case 'ping':
        sendResult(response, request, {});
        return;
      case 'tools/call':
        calls.push(request.params?.name ?? '');
        scripted.respond(response, request);
        return;
      default:
        if (request?.id === undefined) notifications.push(request?.method ?? '');
        response.writeHead(scripted.unknownStatus ?? (request?.id === undefined ? 202 : 400)).end();
    }
  }
  return scripted;
}

/** The definition of a tool without parameters. */
export function toolNamed(name: string, annotations: object = {}): object {
  return { name, description: `Does ${name}.`, inputSchema: { type: 'object' }, annotations };
}

/** The definitions of two tools. The second one only reads. */
export const writeAndRead = [toolNamed('write'), toolNamed('read', { readOnlyHint: true })];

/** Sends a result with a text, and with other fields. */
export function resultResponse(content: string, fields: object = {}): CallResponse {
  return (response, request) => {
    sendResult(response, request, { content: [{ type: 'text', text: content }], ...fields });
  };
}

export function errorResponse(message: string, code = -32_602, status = 200): CallResponse {
  return (response, { id }) => {
    send(response, { jsonrpc: '2.0', id, error: { code, message } }, status);
  };
}

/** Opens an event stream with these messages as its only events. */
export function streamResponse(response: ServerResponse, messages: readonly object[] = []): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  const texts = messages.map((message) => JSON.stringify(message, null, 1).replaceAll('\n', '\ndata: '));
  response.write(texts.map((text) => `data: ${text}\n\n`).join('') || ': open\n\n');
}

function sendResult(response: ServerResponse, { id }: Request, result: object): void {
  send(response, { jsonrpc: '2.0', id, result });
}

function send(response: ServerResponse, message: object, status = 200): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(message));
}

async function read(request: IncomingMessage): Promise<Request | undefined> {
  const body = await text(request);
  return body === '' ? undefined : (JSON.parse(body) as Request);
}
