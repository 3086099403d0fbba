import type { IncomingHttpHeaders } from 'node:http';
import { createLogger } from '@stoplight/prism-core';
import {
  createInstance,
  ProblemJsonError,
  type getHttpOperationsFromSpec,
  type IHttpConfig,
  type IHttpRequest,
} from '@stoplight/prism-http';

/** A request whose path and method are those of an operation of the contract. */
interface ExampleRequest {
  readonly path: string;
  readonly method: string;
  readonly search: string;
  readonly headers: IncomingHttpHeaders;
  /** The media types of `Accept`, the preferred ones first. */
  readonly accepted: readonly string[];
  /** Undefined where the operation has no body. */
  readonly body: unknown;
}

interface ExampleResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

/** Validates a request and resolves to the example that its `Prefer` selects. */
export type FindExample = (request: ExampleRequest) => Promise<ExampleResponse>;

type Operations = Awaited<ReturnType<typeof getHttpOperationsFromSpec>>;

/** Headers that the response of a named example has in addition. */
type ExampleHeaders = ReadonlyMap<string, Readonly<Record<string, string>>>;

const config: IHttpConfig = {
  validateRequest: true,
  validateResponse: false,
  checkSecurity: true,
  errors: false,
  upstreamProxy: undefined,
  isProxy: false,
  mock: { dynamic: false },
};

/**
 * Prism as a function. Its HTTP server is not used: it leaves requests without an answer whose bodies are not JSON, and an
 * `Accept` that it cannot parse ends its process.
 */
export function findExampleByPrism(operations: Operations, exampleHeaders: ExampleHeaders): FindExample {
  const prism = createInstance(config, { logger: createLogger('mock', { level: 'silent' }) });
  return async (request) => {
    const { code, name } = preferences(request);
    const mock = {
      dynamic: false,
      ...(code === undefined ? {} : { code }),
      ...(name === undefined ? {} : { exampleKey: name }),
    };
    const result = await prism.request(prismRequest(request), operations, { ...config, mock })();
    if (result._tag === 'Left') return failure(result.left);
    const { statusCode: status, headers, body } = result.right.output;
    const further = status < 300 ? exampleHeaders.get(name ?? '') : undefined;
    return {
      status,
      headers: { ...headers, ...further, ...violations(result.right.validations.input) },
      bytes: bytesOf(body, contentType(headers)),
    };
  };
}

/** What `Prefer` selects. The page that a cursor leads to is the last one, so it is the default example. */
function preferences({ headers, search }: ExampleRequest): {
  code: number | undefined;
  name: string | undefined;
} {
  const prefer = String(headers['prefer']);
  const [, code] = /\bcode="?([2-5]\d\d)\b/.exec(prefer) ?? [];
  const [, name] = /\bexample="?([\w-]+)/.exec(prefer) ?? [];
  const isLastPage = name !== undefined && /(?:^|&)cursor=./.test(search);
  return { code: code === undefined ? undefined : Number(code), name: isLastPage ? undefined : name };
}

function prismRequest({ path, method, search, headers, accepted, body }: ExampleRequest): IHttpRequest {
  const query = new URLSearchParams(search);
  // Prism throws for a type with other characters.
  const types = accepted.filter((type) => /^[\w.+*-]+\/[\w.+*-]+$/.test(type));
  const { accept: _accept, 'content-length': _length, 'content-type': _type, ...others } = headers;
  const given = Object.entries(others).map(([name, value]) => [name, String(value)]);
  return {
    // The contract has no other methods than Prism.
    method: method as IHttpRequest['method'],
    url: {
      path,
      query: Object.fromEntries([...new Set(query.keys())].map((name) => [name, values(query.getAll(name))])),
    },
    headers: {
      ...(Object.fromEntries(given) as Record<string, string>),
      ...(types.length === 0 ? {} : { accept: types.join(', ') }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body,
  };
}

function values(all: string[]): string | string[] {
  const [first = '', ...others] = all;
  return others.length === 0 ? first : all;
}

function failure(error: Error): ExampleResponse {
  const problem = ProblemJsonError.toProblemJson(error);
  return {
    status: problem.status,
    headers: { 'Content-Type': 'application/problem+json' },
    bytes: Buffer.from(JSON.stringify(problem)),
  };
}

/** A header that says what is wrong with the request, as JSON in ASCII. */
function violations(all: readonly { message: string; path?: string[] }[]): Record<string, string> {
  if (all.length === 0) return {};
  const json = JSON.stringify(
    all.map(({ message, path = [] }) => ({ location: ['request', ...path], message })),
  );
  const ascii = json.replaceAll(
    /[^ -~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return { 'sl-violations': ascii.slice(0, 8000) };
}

function contentType(headers: Readonly<Record<string, string>> = {}): string {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
}

/** The bytes of an example. A document in JSON has only text, of which each character stands for one byte of a picture. */
function bytesOf(body: unknown, type: string): Buffer {
  if (body === undefined) return Buffer.alloc(0);
  if (typeof body !== 'string' || /\bjson\b/.test(type)) return Buffer.from(JSON.stringify(body));
  return Buffer.from(body, /^(?:image\/png|application\/pdf)\b/.test(type) ? 'latin1' : 'utf8');
}
