import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { cleanUpAfter } from './cleanup.ts';
import { listen } from './listen.ts';

interface Request {
  readonly id?: number | string;
  readonly method: string;
  readonly params?: { readonly name?: string; readonly arguments?: object };
}

/** Sends the response to a call of a tool. */
export type CallResponse = (response: ServerResponse, request: Request) => void;

export interface ScriptedMcpServer {
  readonly url: string;
  /** The tools that the server lists, valid or not. */
  tools: readonly object[];
  respond: CallResponse;
  /** Answers every request, if it is set. */
  intercept: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  /** The names of the tools that were called. */
  readonly calls: readonly string[];
  readonly authorizations: ReadonlySet<string | undefined>;
  readonly stop: () => void;
}

/** Starts an MCP server of revision 2025-11-25 whose lists and results can be anything. */
export async function startScriptedMcpServer(
  tools: readonly object[] = writeAndRead,
  respond: CallResponse = resultResponse('Done.'),
): Promise<ScriptedMcpServer> {
  const calls: string[] = [];
  const authorizations = new Set<string | undefined>();
  const server = createServer((request, response) => {
    void handle(request, response);
  });
  const scripted: ScriptedMcpServer = {
    url: `http://127.0.0.1:${await listen(server)}/mcp`,
    ...{ tools, respond, calls, authorizations, intercept: undefined },
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  cleanUpAfter(scripted.stop);
  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    authorizations.add(incoming.headers.authorization);
    if (scripted.intercept !== undefined) {
      scripted.intercept(incoming, response);
      return;
    }
    const request = await read(incoming);
    switch (request?.method) {
      case 'initialize':
        sendResult(response, request, {
          protocolVersion: '2025-11-25',
          capabilities: { tools: {} },
          serverInfo: { name: 'scripted', version: '1' },
        });
        return;
      case 'tools/list':
        sendResult(response, request, { tools: scripted.tools });
        return;
      case 'tools/call':
        calls.push(request.params?.name ?? '');
        scripted.respond(response, request);
        return;
      default:
        response.writeHead(request?.id === undefined ? 202 : 400).end();
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
export function resultResponse(text: string, fields: object = {}): CallResponse {
  return (response, request) => {
    sendResult(response, request, { content: [{ type: 'text', text }], ...fields });
  };
}

export function errorResponse(message: string, code = -32_602): CallResponse {
  return (response, { id }) => {
    send(response, { jsonrpc: '2.0', id, error: { code, message } });
  };
}

/** Opens an event stream with these messages as its only events. */
export function streamResponse(response: ServerResponse, messages: readonly object[] = []): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  response.write(messages.map((message) => `data: ${JSON.stringify(message)}\n\n`).join('') || ': open\n\n');
}

function sendResult(response: ServerResponse, { id }: Request, result: object): void {
  send(response, { jsonrpc: '2.0', id, result });
}

function send(response: ServerResponse, message: object): void {
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(message));
}

async function read(request: IncomingMessage): Promise<Request | undefined> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  return text === '' ? undefined : (JSON.parse(text) as Request);
}
