import { foreignResponse } from './error-from.ts';
import { InvalidResponseError } from './errors.ts';
import type { operations, paths } from './generated/contract.ts';
import type { CallHeaders } from './headers.ts';
import { idempotencyKeyOf } from './idempotency-key.ts';
import type { IdempotentOptions } from './options.ts';
import { pathText, queryText, textOfJson } from './parameters.ts';
import type { OperationId } from './resources.ts';
import { isRefusal } from './retries.ts';
import type { TimeLimit } from './time-limit.ts';

/** A call of one operation: its request, how its response is read, and the condition under which it is retried. */
export interface Call<Body = unknown> {
  readonly operation: OperationId;
  readonly method: string;
  /** Returns the path and query. Throws for an argument that no address can contain. */
  readonly target: () => string;
  /** Returns the JSON of the body; undefined for a request without a body. */
  readonly body: (() => string) | undefined;
  readonly headers: CallHeaders;
  readonly options: IdempotentOptions;
  /** Reads the body of a success. A stream restarts the time limit of the attempt. */
  readonly read: (response: Response, limit: TimeLimit) => Body | Promise<Body>;
  /** Returns true if a retry is safe after an attempt that failed with this error. */
  readonly isRetrySafeAfter: (error: unknown) => boolean;
  /** Lower bound of the client's `timeoutMs`, for an operation that is slow by design. */
  readonly timeoutMinMs?: number;
}

/** A call that has no side effects, or no further effect when it is repeated. */
export function callOf<Id extends OperationId>(
  operation: Id,
  route: RouteOf<Id>,
  { path, query, body, headers = {} }: PartsOf<Id>,
  options: IdempotentOptions = {},
): Call<JsonOf<Id>> {
  const [method = '', template = ''] = route.split(' ');
  return {
    operation,
    method,
    target: () => pathText(template, path) + queryText(query),
    body: body === undefined ? undefined : textOfJson(body),
    headers,
    options,
    read: (response) => readJson(response, operation),
    isRetrySafeAfter: () => true,
  };
}

/** The call of a POST with an `Idempotency-Key`. */
export function idempotent<Body>(call: Call<Body>): Call<Body> {
  return { ...call, headers: { ...call.headers, 'Idempotency-Key': idempotencyKeyOf(call.options) } };
}

/**
 * A call that overwrites data. If the response to an attempt is lost, another client may have changed the same data
 * since, and a retry would undo that change.
 */
export function retriedAfterRefusal<Body>(call: Call<Body>): Call<Body> {
  return { ...call, isRetrySafeAfter: isRefusal };
}

/** Throws an error with the start of a text that came in place of JSON, such as a page of HTML. */
async function readJson<Json>(response: Response, operation: OperationId): Promise<Json> {
  const text = await response.text();
  if (!/[/+]json\b/i.test(response.headers.get('Content-Type') ?? 'json'))
    throw new InvalidResponseError(foreignResponse(response, text, operation));
  // `resultOf` checks that it is an object. Its fields are not validated.
  return JSON.parse(text) as Json;
}

/** The method and the path of an operation in the contract. */
type RouteOf<Id extends OperationId> = {
  [Path in keyof paths]: {
    [Method in keyof paths[Path] & string]: paths[Path][Method] extends operations[Id]
      ? `${Uppercase<Method>} ${Path}`
      : never;
  }[keyof paths[Path] & string];
}[keyof paths];

interface Parts {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: object | undefined;
  readonly body?: unknown;
  readonly headers?: CallHeaders;
}

/** The parts of a request for an operation. */
type PartsOf<Id extends OperationId> = Parts &
  Has<'path', operations[Id]['parameters']['path']> &
  Has<'body', BodyOf<operations[Id]>> & { readonly query?: operations[Id]['parameters']['query'] };

type Has<Name extends string, Part> = [Part] extends [undefined] ? unknown : Readonly<Record<Name, Part>>;

type BodyOf<Operation> = Operation extends {
  requestBody: { content: { 'application/json': infer Json } };
}
  ? Json
  : undefined;

type JsonOf<Id extends OperationId> = {
  [Status in keyof operations[Id]['responses']]: Status extends 200 | 201 | 202
    ? operations[Id]['responses'][Status] extends { content: { 'application/json': infer Json } }
      ? Json
      : never
    : never;
}[keyof operations[Id]['responses']];
