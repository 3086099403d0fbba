import type { ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { startHttpServer } from './http-server.ts';

/** The fields of a request to the model server that tests read. */
export interface ModelRequest {
  readonly model: string;
  readonly stream: boolean;
  readonly temperature?: number;
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
  readonly reasoning_effort?: string;
  readonly messages: readonly {
    readonly role: string;
    readonly content: string | null;
    readonly reasoning_content?: string;
    readonly tool_calls?: readonly {
      readonly id: string;
      readonly function: { readonly name: string; readonly arguments: string };
    }[];
    readonly tool_call_id?: string;
  }[];
  readonly tools?: readonly { readonly function: { readonly name: string; readonly parameters: object } }[];
}

/** Sends the response to one request. */
export type ModelResponse = (response: ServerResponse, request: ModelRequest) => void;

export interface ModelServer {
  readonly url: string;
  /** The requests since the last call of `respondWith`. */
  readonly requests: readonly ModelRequest[];
  readonly authorizations: readonly (string | undefined)[];
  /** Sets the responses to the next requests. The last response is repeated. */
  respondWith(...responses: readonly ModelResponse[]): void;
}

/** Starts a server for OpenAI's chat completions. It sends scripted responses, which may be invalid. */
export async function startModelServer(): Promise<ModelServer> {
  let script: readonly ModelResponse[] = [];
  let requests: ModelRequest[] = [];
  let authorizations: (string | undefined)[] = [];
  const { url } = await startHttpServer((request, response) => {
    // `doctor` and every starting server ask for the list of models. Tests do not count these requests.
    if (request.method === 'GET') return void response.writeHead(404).end();
    // The cast is unchecked: the tested server sends the request, and a test fails if a field that it reads is missing.
    void json(request).then((sent) => {
      const body = sent as ModelRequest;
      requests.push(body);
      authorizations.push(request.headers.authorization);
      script[Math.min(requests.length, script.length) - 1]?.(response, body);
    });
  });
  return {
    url: `${url}/v1`,
    get requests() {
      return requests;
    },
    get authorizations() {
      return authorizations;
    },
    respondWith: (...responses) => {
      script = responses;
      requests = [];
      authorizations = [];
    },
  };
}

/** Configures a model server as the runtime `local`. The built-in runtime stays the default. */
export function modelEnv({ url }: Pick<ModelServer, 'url'>): Record<string, string> {
  return {
    AGENT_RUNTIME_LOCAL_URL: url,
    AGENT_RUNTIME_LOCAL_MODEL: 'test-model',
    AGENT_RUNTIME_LOCAL_KEY: 'a-secret-key',
  };
}

const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

/** Streams a text in two pieces. */
export function textResponse(text: string): ModelResponse {
  const middle = Math.ceil(text.length / 2);
  return chunksResponse(
    { choices: [{ index: 0, delta: { role: 'assistant', content: text.slice(0, middle) } }] },
    { choices: [{ index: 0, delta: { content: text.slice(middle) } }] },
    { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    { choices: [], usage },
  );
}

/** Streams a message and its finish reason. */
function answer(delta: object, finish: string | null): ModelResponse {
  return chunksResponse(
    { choices: [{ index: 0, delta: { role: 'assistant', ...delta } }] },
    { choices: [{ index: 0, delta: {}, finish_reason: finish }] },
    { choices: [], usage },
  );
}

/** Streams a text whose finish reason says that it is incomplete. */
export function cutOffResponse(text: string, finish: string): ModelResponse {
  return answer({ content: text }, finish);
}

interface CallOptions {
  /** Overrides fields of the call. */
  readonly call?: object;
  /** Other fields of the message. */
  readonly delta?: object;
  readonly finish?: string | null;
}

/** Streams a tool call. */
export function toolCallResponse(
  name: string,
  values: unknown,
  { call = {}, delta = {}, finish = 'tool_calls' }: CallOptions = {},
): ModelResponse {
  const calledFunction = { name, arguments: typeof values === 'string' ? values : JSON.stringify(values) };
  const toolCall = { index: 0, id: 'call_0', type: 'function', function: calledFunction, ...call };
  return answer({ content: null, tool_calls: [toolCall], ...delta }, finish);
}

/** Streams several tool calls of one step. */
export function toolCallsResponse(
  ...calls: readonly (readonly [name: string, values: object])[]
): ModelResponse {
  const toolCalls = calls.map(([name, values], index) => ({
    ...{ index, id: `call_${index}`, type: 'function' },
    function: { name, arguments: JSON.stringify(values) },
  }));
  return answer({ content: null, tool_calls: toolCalls }, 'tool_calls');
}

/** Streams chunks unchanged. */
export function chunksResponse(...chunks: readonly object[]): ModelResponse {
  return (response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    for (const chunk of chunks) response.write(`data: ${JSON.stringify({ id: 'x', ...chunk })}\n\n`);
    response.end('data: [DONE]\n\n');
  };
}

const error = { message: 'a message of the model server', type: 'x' };

export function errorResponse(
  status: number,
  headers: Record<string, string> = {},
  body: object = { error },
): ModelResponse {
  return (response) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
}
