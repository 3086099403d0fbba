import type { Client } from 'openapi-fetch';
import { WorktableError } from './errors.ts';
import type { paths } from './generated/contract.ts';
import { queryText } from './parameters.ts';

/** A function for each method, with the parameters, body and response of each path of the contract. */
export type FetchClient = Client<paths, 'application/json'>;

interface RequestInput {
  readonly params?: {
    readonly path?: Readonly<Record<string, string>>;
    readonly query?: Readonly<Record<string, unknown>>;
  };
  readonly bodySerializer?: () => string;
  readonly parseAs?: 'arrayBuffer' | 'stream';
  readonly headers: Headers;
  readonly signal: AbortSignal;
  readonly fetch: (request: Request) => Promise<Response>;
}

interface Answer {
  readonly data?: unknown;
  /** The JSON of an error, or the text of a response that is not JSON. */
  readonly error?: unknown;
  readonly response: Response;
}

/**
 * Sends requests and reads responses. It has the types of openapi-fetch, which drops parameters that are null and the text
 * of a response that is not JSON.
 */
export function createFetchClient(baseUrl: string): FetchClient {
  const withMethod =
    (method: string) =>
    async (path: string, input: RequestInput): Promise<Answer> => {
      const request = requestOf(method, baseUrl + path, input);
      return read(await input.fetch(request), input.parseAs);
    };
  const [GET, POST, PUT, DELETE] = ['GET', 'POST', 'PUT', 'DELETE'].map(withMethod);
  // The functions take any path; the type says which there are.
  return { GET, POST, PUT, DELETE } as unknown as FetchClient;
}

function requestOf(method: string, template: string, input: RequestInput): Request {
  const { params: { path = {}, query = {} } = {}, bodySerializer, headers, signal } = input;
  try {
    const url = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
    const body = bodySerializer?.() ?? null;
    if (body !== null && !headers.has('Content-Type')) headers.set('Content-Type', 'application/json');
    // Following a redirect could send the token to another server, or turn a POST into a GET.
    return new Request(url + queryText(query), { method, headers, body, signal, redirect: 'manual' });
  } catch (cause) {
    if (cause instanceof WorktableError) throw cause;
    throw new WorktableError(`The request cannot be made: ${String(cause)}`, { cause });
  }
}

async function read(response: Response, parseAs: RequestInput['parseAs']): Promise<Answer> {
  if (response.ok && parseAs === 'stream') return { data: response.body, response };
  if (response.ok && parseAs !== undefined) {
    const data = await response.arrayBuffer();
    return data.byteLength === 0 ? { response } : { data, response };
  }
  const text = await response.text();
  if (text === '') return { response };
  try {
    const json: unknown = JSON.parse(text);
    return response.ok ? { data: json, response } : { error: json, response };
  } catch {
    return { error: text, response };
  }
}
