import { setTimeout } from 'node:timers/promises';
import type { OperationId, Schemas } from '../../server/src/contract/operation.ts';
import type { operations } from '../../server/src/generated/contract.ts';
import { findBreach, operationOf } from './contract.ts';
import { record } from './recorder.ts';

export type DocumentedStatus<Id extends OperationId> = keyof operations[Id]['responses'] & number;
type FailureStatus<Id extends OperationId> = Exclude<DocumentedStatus<Id>, 200 | 201 | 202 | 304>;

/** The parts of a request. Their types are loose, because tests also send requests that the contract forbids. */
export interface Input {
  readonly id?: string | undefined;
  readonly commentId?: string | undefined;
  readonly query?: string | Record<string, string | number> | undefined;
  readonly body?: unknown;
  readonly headers?: Record<string, string> | undefined;
}

export interface Answer<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

type SuccessBody<Id extends OperationId> = JsonOf<
  operations[Id]['responses'][keyof operations[Id]['responses'] & (200 | 201 | 202)]
>;
type JsonOf<Response> = Response extends { content: { 'application/json': infer Json } } ? Json : never;

/** A server and its output. If a test fails because of a 500, the output has the cause. */
export interface Target {
  readonly url: string;
  readonly output?: () => string;
}

/** Sends requests by operation. Every response is checked against the contract and recorded. */
export class Client {
  readonly #server: Target;
  readonly #token: string | undefined;

  constructor(server: Target, token: string | undefined) {
    this.#server = server;
    this.#token = token;
  }

  /** Sends a request that must succeed. */
  async ok<Id extends OperationId>(id: Id, input: Input = {}): Promise<Answer<SuccessBody<Id>>> {
    const answer = await this.send(id, input);
    if (answer.status >= 300) throw new Error(await this.#failure(id, answer));
    // This cast is safe: `findBreach` has validated the body by the schema from which the type is generated.
    return answer as Answer<SuccessBody<Id>>;
  }

  /** Sends a request that must fail with the status. */
  async fails<Id extends OperationId>(
    id: Id,
    status: FailureStatus<Id>,
    input: Input = {},
  ): Promise<Answer<Schemas['Problem']>> {
    const answer = await this.send(id, input);
    if (answer.status !== status) throw new Error(await this.#failure(id, answer, `, not ${status}`));
    return answer as Answer<Schemas['Problem']>;
  }

  /** Sends any request of an operation. */
  async send(
    id: OperationId,
    { id: pathId, commentId, query, body, headers }: Input = {},
  ): Promise<Answer<unknown>> {
    const { method, path } = operationOf(id);
    const response = await fetch(
      `${this.#server.url}${path.replace(/\{(?:id|link)\}/, pathId ?? '').replace('{comment_id}', commentId ?? pathId ?? '')}${searchText(query)}`,
      {
        method,
        headers: {
          ...(this.#token === undefined ? {} : { Authorization: `Bearer ${this.#token}` }),
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      },
    );
    const mediaType = response.headers.get('Content-Type') ?? '';
    const bytes = Buffer.from(await response.arrayBuffer());
    // Files are decoded to one character for each byte.
    const text = bytes.toString(/png|pdf/.test(mediaType) ? 'latin1' : 'utf8');
    const isJson = /json/.test(mediaType);
    const answer = { status: response.status, headers: response.headers, body: isJson ? parse(text) : text };
    const breach = findBreach(id, answer);
    if (breach !== undefined)
      throw new Error(`${id} ${answer.status} breaks the contract: ${breach}${await this.#causeOf(answer)}`);
    record(id, answer.status);
    return answer;
  }

  async #failure(id: OperationId, answer: Answer<unknown>, expectation = ''): Promise<string> {
    const { status, body } = answer;
    return `${id} answered ${status}${expectation}: ${JSON.stringify(body)}${await this.#causeOf(answer)}`;
  }

  /** The line from the log of the server with the cause of a 500. */
  async #causeOf({ status, headers }: Answer<unknown>): Promise<string> {
    const requestId = headers.get('X-Request-Id') ?? '';
    const { output } = this.#server;
    if (status !== 500 || output === undefined) return '';
    // Servers flush their log every half second.
    await setTimeout(1_000);
    const lines = output().split('\n');
    return `\nThe server logged: ${lines.find((line) => line.includes(`"request_id":"${requestId}"`)) ?? 'nothing'}`;
  }
}

function parse(text: string): unknown {
  return JSON.parse(text);
}

/** A query as text, including the question mark. */
export function searchText(query: Input['query'] = ''): string {
  const pairs = typeof query === 'string' ? [] : Object.entries(query);
  const encoded = new URLSearchParams(
    pairs.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  const text = typeof query === 'string' ? query : encoded;
  return text === '' ? '' : `?${text}`;
}
