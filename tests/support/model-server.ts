import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterAll } from 'vitest';
import { listen } from './listen.ts';

/** What the model server is asked, as far as tests look at it. */
export interface ModelRequest {
  readonly model: string;
  readonly stream: boolean;
  readonly messages: readonly {
    readonly role: string;
    readonly content: string | null;
    readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly name: string } }[];
    readonly tool_call_id?: string;
  }[];
  readonly tools?: readonly { readonly function: { readonly name: string; readonly parameters: object } }[];
}

/** How the model server answers one request. */
export type ModelAnswer = (response: ServerResponse, request: ModelRequest) => void;

export interface ModelServer {
  readonly url: string;
  /** What it was asked, in order. */
  readonly requests: readonly ModelRequest[];
  readonly authorizations: readonly (string | undefined)[];
  /** Answers the next requests one after the other; the last answer is repeated. */
  answers(...answers: readonly ModelAnswer[]): void;
}

/** A server that speaks OpenAI's chat completions as it is told to, well or badly. */
export async function startModelServer(): Promise<ModelServer> {
  let script: readonly ModelAnswer[] = [];
  let requests: ModelRequest[] = [];
  let authorizations: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    void read(request).then((asked) => {
      requests.push(asked);
      authorizations.push(request.headers.authorization);
      script[Math.min(requests.length, script.length) - 1]?.(response, asked);
    });
  });
  const port = await listen(server);
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${port}/v1`,
    get requests() {
      return requests;
    },
    get authorizations() {
      return authorizations;
    },
    answers: (...answers) => {
      script = answers;
      requests = [];
      authorizations = [];
    },
  };
}

/** The environment that makes a model server the runtime `local`. */
export function modelEnv({ url }: ModelServer): Record<string, string> {
  return {
    AGENT_RUNTIMES: 'local',
    AGENT_RUNTIME_LOCAL_URL: url,
    AGENT_RUNTIME_LOCAL_MODEL: 'test-model',
    AGENT_RUNTIME_LOCAL_KEY: 'a-secret-key',
  };
}

const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

/** Says something, in two pieces. */
export function says(text: string): ModelAnswer {
  const middle = Math.ceil(text.length / 2);
  return streams(
    { choices: [{ index: 0, delta: { role: 'assistant', content: text.slice(0, middle) } }] },
    { choices: [{ index: 0, delta: { content: text.slice(middle) } }] },
    { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    { choices: [], usage },
  );
}

/** Calls a tool; `call` overrides what a well-behaved server sends, and `finish` why it ends. */
export function callsTool(
  name: string,
  values: unknown,
  { call = {}, finish = 'tool_calls' }: { call?: object; finish?: string | null } = {},
): ModelAnswer {
  const asked = { name, arguments: typeof values === 'string' ? values : JSON.stringify(values) };
  const toolCall = { index: 0, id: 'call_0', type: 'function', function: asked, ...call };
  return streams(
    { choices: [{ index: 0, delta: { role: 'assistant', content: null, tool_calls: [toolCall] } }] },
    { choices: [{ index: 0, delta: {}, finish_reason: finish }] },
    { choices: [], usage },
  );
}

/** Streams chunks as they are. */
export function streams(...chunks: readonly object[]): ModelAnswer {
  return (response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    for (const chunk of chunks) response.write(`data: ${JSON.stringify({ id: 'x', ...chunk })}\n\n`);
    response.end('data: [DONE]\n\n');
  };
}

/** Answers with a status and no stream. */
export function refuses(status: number, headers: Record<string, string> = {}): ModelAnswer {
  return (response) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    response.end(JSON.stringify({ error: { message: 'a message of the model server', type: 'x' } }));
  };
}

async function read(request: IncomingMessage): Promise<ModelRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  // What the server under test sends; a test that looks at a field finds out whether it is there.
  return JSON.parse(Buffer.concat(chunks).toString()) as ModelRequest;
}
