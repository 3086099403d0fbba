import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Server, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { cleanUpAfter } from './cleanup.ts';
import { listen } from './listen.ts';

export interface BrowserMcpServer {
  readonly url: string;
  /** The pages that were opened, in order, including those of calls whose results were lost. */
  readonly visited: readonly string[];
  /** How many sessions have been opened. */
  readonly sessionsOpened: () => number;
  /** How many sessions are open. */
  readonly sessionsOpen: () => number;
  /** How many requests are being answered, including event streams. */
  readonly requestsOpen: () => number;
  /** Called before a page is opened. */
  onVisit: (page: string) => Promise<void> | void;
  /** Answers a request that names an unknown session. */
  refuse: () => Response;
  /** The statuses of the next requests, which fail. */
  failing: number[];
  /** Forgets all sessions, as a restart does. */
  readonly forget: () => void;
  readonly stop: () => void;
}

interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport;
}

/**
 * Starts an MCP server that keeps one page for each session, as MCP servers for browsers do. `open_page` opens a page;
 * `read_page`, which only reads, returns the address of the open page. The server uses the official package and
 * supports revision 2025-11-25.
 */
export async function startBrowserMcpServer(): Promise<BrowserMcpServer> {
  const sessions = new Map<string, Session>();
  const visited: string[] = [];
  let [opened, requests] = [0, 0];
  const browser: BrowserMcpServer = {
    ...{ url: '', visited, failing: [], onVisit: () => undefined },
    refuse: () => new Response('Session not found', { status: 404 }),
    sessionsOpened: () => opened,
    sessionsOpen: () => sessions.size,
    requestsOpen: () => requests,
    forget: () => {
      for (const { transport } of sessions.values()) void transport.close();
      sessions.clear();
    },
    stop: () => {
      http.closeAllConnections();
      http.close();
    },
  };
  const openSession = async (): Promise<Session> => {
    const transport: WebStandardStreamableHTTPServerTransport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => {
        opened += 1;
        sessions.set(id, { transport });
      },
      onsessionclosed: (id) => {
        sessions.delete(id);
      },
    });
    await serverWithPage(browser, visited).connect(transport);
    return { transport };
  };
  const answer = async (request: Request): Promise<Response> => {
    const status = browser.failing.shift();
    if (status !== undefined) return new Response('Failing', { status });
    const id = request.headers.get('Mcp-Session-Id');
    const session = id === null ? await openSession() : sessions.get(id);
    return session?.transport.handleRequest(request) ?? browser.refuse();
  };
  const http = createServer((incoming, response) => {
    requests += 1;
    response.once('close', () => (requests -= 1));
    void answer(webRequest(incoming)).then((answered) => send(answered, response));
  });
  const url = `http://127.0.0.1:${await listen(http)}/mcp`;
  cleanUpAfter(browser.stop);
  return Object.assign(browser, { url });
}

/** The MCP server of one session. */
function serverWithPage(browser: BrowserMcpServer, visited: string[]) {
  let page = 'about:blank';
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- `McpServer` would need schemas of another package.
  const server = new Server({ name: 'browser', version: '1' }, { capabilities: { tools: {} } });
  const inputSchema = { type: 'object', properties: { page: { type: 'string' } } } as const;
  server.setRequestHandler('tools/list', () => ({
    tools: [
      { name: 'open_page', inputSchema },
      { name: 'read_page', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
    ],
  }));
  server.setRequestHandler('tools/call', async ({ params }) => {
    if (params.name === 'open_page') {
      const address = String(params.arguments?.['page']);
      await browser.onVisit(address);
      visited.push(address);
      page = address;
    }
    return { content: [{ type: 'text', text: `The page is ${page}.` }] };
  });
  return server;
}

function webRequest(incoming: IncomingMessage): Request {
  const headers = Object.entries(incoming.headers).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  const { method = 'GET' } = incoming;
  const body = method === 'POST' ? { body: Readable.toWeb(incoming), duplex: 'half' } : {};
  return new Request('http://127.0.0.1/mcp', { method, headers, ...body } as RequestInit);
}

async function send({ status, headers, body }: Response, response: ServerResponse): Promise<void> {
  response.writeHead(status, Object.fromEntries(headers));
  response.flushHeaders();
  if (body === null) response.end();
  else await pipeline(Readable.fromWeb(body), response).catch(() => undefined);
}
