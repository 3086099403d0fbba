import type { OperationId, Schemas } from '../../server/src/operation.ts';
import type { operations } from '../../server/src/generated/contract.ts';
import { checkResponse, operationOf } from './contract.ts';

export type DocumentedStatus<Id extends OperationId> = keyof operations[Id]['responses'] & number;
type FailureStatus<Id extends OperationId> = Exclude<DocumentedStatus<Id>, 200 | 201 | 202 | 304>;

/** Loose on purpose: a test must be able to send what the contract forbids. */
export interface Input {
  readonly id?: string | undefined;
  readonly query?: string | Record<string, string | number> | undefined;
  readonly body?: unknown;
  readonly headers?: Record<string, string> | undefined;
}

export interface Answer<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

type SuccessBody<Id extends OperationId> = {
  [
    Status in keyof operations[Id]['responses'] & (200 | 201 | 202)
  ]: operations[Id]['responses'][Status] extends {
    content: { 'application/json': infer Json };
  }
    ? Json
    : never;
}[keyof operations[Id]['responses'] & (200 | 201 | 202)];

/** Sends requests by operation. Every response is checked against the contract and recorded. */
export class Client {
  readonly #url: string;
  readonly #token: string | undefined;

  constructor(url: string, token: string | undefined) {
    this.#url = url;
    this.#token = token;
  }

  /** Sends a request that must succeed. */
  async ok<Id extends OperationId>(id: Id, input: Input = {}): Promise<Answer<SuccessBody<Id>>> {
    const answer = await this.send(id, input);
    if (answer.status >= 300)
      throw new Error(`${id} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    // `checkResponse` has validated the body by the schema that the type is made from.
    return answer as Answer<SuccessBody<Id>>;
  }

  /** Sends a request that must fail with the status. */
  async fails<Id extends OperationId>(
    id: Id,
    status: FailureStatus<Id>,
    input: Input = {},
  ): Promise<Answer<Schemas['Problem']>> {
    const answer = await this.send(id, input);
    if (answer.status !== status) {
      throw new Error(`${id} answered ${answer.status}, not ${status}: ${JSON.stringify(answer.body)}`);
    }
    return answer as Answer<Schemas['Problem']>;
  }

  /** Sends any request of an operation. */
  async send(id: OperationId, { id: pathId, query, body, headers }: Input = {}): Promise<Answer<unknown>> {
    const { method, path } = operationOf(id);
    const search = typeof query === 'object' ? new URLSearchParams(strings(query)).toString() : (query ?? '');
    const response = await fetch(
      `${this.#url}${path.replace('{id}', pathId ?? '')}${search && `?${search}`}`,
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
    // One character for each byte of a file.
    const text = bytes.toString(/png|pdf/.test(mediaType) ? 'latin1' : 'utf8');
    const isJson = /json/.test(mediaType);
    const answer = { status: response.status, headers: response.headers, body: isJson ? parse(text) : text };
    checkResponse(id, answer);
    return answer;
  }
}

function parse(text: string): unknown {
  return JSON.parse(text);
}

function strings(query: Record<string, string | number>): Record<string, string> {
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
}
