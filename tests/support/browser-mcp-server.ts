import { randomUUID } from 'node:crypto';
import {
  resultResponse,
  startScriptedMcpServer,
  streamResponse,
  toolNamed,
  type ScriptedMcpServer,
} from './scripted-mcp-server.ts';

export interface BrowserMcpServer extends Pick<ScriptedMcpServer, 'url' | 'stop'> {
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
  /** The response to a request that names an unknown session. */
  refusal: { readonly status: number; readonly text: string };
  /** The statuses of the next requests, which fail. */
  failing: number[];
  /** Forgets all sessions, as a restart does. */
  readonly forget: () => void;
}

/**
 * Starts an MCP server that keeps one page for each session, as MCP servers for browsers do. `open_page` opens a page;
 * `read_page`, which only reads, returns the address of the open page.
 */
export async function startBrowserMcpServer(): Promise<BrowserMcpServer> {
  /** The open page of each session. */
  const pages = new Map<string, string>();
  const visited: string[] = [];
  let [opened, requests] = [0, 0];
  const tools = [toolNamed('open_page'), toolNamed('read_page', { readOnlyHint: true })];
  const scripted = await startScriptedMcpServer(tools, (response, request) => {
    const { 'mcp-session-id': session = '' } = response.req.headers;
    const { name, arguments: values = {} } = request.params ?? {};
    const call = async (): Promise<void> => {
      if (name === 'open_page') {
        const page = String(Reflect.get(values, 'page'));
        await browser.onVisit(page);
        visited.push(page);
        pages.set(String(session), page);
      }
      resultResponse(`The page is ${pages.get(String(session))}.`)(response, request);
    };
    void call();
  });
  const browser: BrowserMcpServer = {
    ...{ url: scripted.url, stop: scripted.stop, visited, failing: [], onVisit: () => undefined },
    refusal: { status: 404, text: 'Session not found' },
    sessionsOpened: () => opened,
    sessionsOpen: () => pages.size,
    requestsOpen: () => requests,
    forget: () => {
      pages.clear();
    },
  };
  scripted.openSession = () => {
    const id = randomUUID();
    opened += 1;
    pages.set(id, 'about:blank');
    return id;
  };
  scripted.resume = (response) => {
    streamResponse(response);
  };
  scripted.intercept = ({ method, headers }, response) => {
    requests += 1;
    response.once('close', () => (requests -= 1));
    const status = browser.failing.shift();
    if (status !== undefined) return response.writeHead(status).end('Failing');
    const session = headers['mcp-session-id']?.toString();
    if (session === undefined) return false;
    if (!pages.has(session)) return response.writeHead(browser.refusal.status).end(browser.refusal.text);
    if (method !== 'DELETE') return false;
    pages.delete(session);
    return response.end();
  };
  return browser;
}
