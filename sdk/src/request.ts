import { WorktableError } from './errors.ts';
import type { operations } from './generated/contract.ts';
import type { ConditionalOptions, RequestOptions, RunOptions } from './options.ts';
import type { OperationId } from './resources.ts';

/** An operation of the contract. `isKeyed` is true if it takes an `Idempotency-Key`. */
export type Operation<Id extends OperationId = OperationId> = readonly [
  id: Id,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  isKeyed?: true,
];

/** The parts of a request that differ from call to call. */
export type RequestParts<Id extends OperationId = OperationId> = PathOf<operations[Id]['parameters']> &
  BodyOf<operations[Id]> & {
    /** Query values may have other types than in the contract, such as `Date`; all are sent as text. */
    readonly query?: { readonly [Name in QueryName<Id>]?: unknown } | undefined;
    /** The media type of the response; the default is JSON. */
    readonly accept?: string;
    /** Undefined values are left out. */
    readonly headers?: Readonly<Record<string, string | undefined>>;
    readonly options?: CallOptions | undefined;
  };

/** The options of any method. */
export interface CallOptions extends ConditionalOptions, RunOptions {
  /** The time of the deadline, if `deadlineMs` counts from before this call. */
  readonly deadlineAtMs?: number | undefined;
}

type QueryName<Id extends OperationId> = keyof NonNullable<operations[Id]['parameters']['query']>;

type PathOf<Parameters> = Parameters extends { path: infer Path } ? { readonly path: Path } : unknown;

type BodyOf<Of> = Of extends { requestBody: { content: { 'application/json': infer Body } } }
  ? { readonly body: Body }
  : unknown;

/** The body of a successful response of an operation. */
export type ResponseBody<Id extends OperationId> = JsonOf<
  operations[Id]['responses'][keyof operations[Id]['responses'] & (200 | 201 | 202)]
>;

type JsonOf<Response> = Response extends { content: { 'application/json': infer Body } } ? Body : never;

/** The parts of a request for any operation, without their exact types. */
export interface AnyParts extends Pick<RequestParts, 'accept' | 'headers' | 'options'> {
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
}

/** What is sent in every attempt, apart from headers, in the form that openapi-fetch takes. */
export interface Target {
  readonly params: {
    readonly path: Readonly<Record<string, unknown>>;
    readonly query: Readonly<Record<string, string[]>>;
  };
  readonly body: string | undefined;
}

/** Makes the target when a method is called, so that later changes of the arguments have no effect. */
export function targetOf({ path = {}, query = {}, body }: AnyParts): Target {
  for (const [name, id] of Object.entries(path)) assertId(name, id);
  const texts = Object.entries(query).map(([name, value]) => [name, textsOf(name, value)] as const);
  return { params: { path, query: Object.fromEntries(texts) }, body: bodyText(body) };
}

/**
 * The headers of a call, without its token. From lowest to highest precedence: the client's `headers`, the call's
 * `headers`, the call's other options, and the headers that the operation needs.
 */
export function headersOf(
  { accept = 'application/json', headers, options = {} }: AnyParts,
  ofClient: RequestOptions['headers'],
  idempotencyKey: string | undefined,
): Headers {
  const result = new Headers();
  const ofOptions = {
    Accept: `${accept}, application/problem+json`,
    'Idempotency-Key': idempotencyKey,
    'If-Match': options.ifMatch,
    Prefer: options.prefer,
  };
  const sources = [ofClient ?? {}, options.headers ?? {}, ofOptions, headers ?? {}];
  for (const [name, value] of sources.flatMap(Object.entries<string | undefined>)) {
    try {
      if (value !== undefined) result.set(name, value);
    } catch {
      // The platform's own message would contain the invalid value.
      throw new WorktableError(`The header "${name}" has an invalid character.`);
    }
  }
  return result;
}

function bodyText(body: unknown): string | undefined {
  try {
    return JSON.stringify(body, assertFinite);
  } catch (cause) {
    if (cause instanceof WorktableError) throw cause;
    throw new WorktableError('The body cannot be serialized as JSON.', { cause });
  }
}

/** Throws for NaN and Infinity: `JSON.stringify` would write null, which is a gap in a chart. */
function assertFinite(name: string, value: unknown): unknown {
  if (typeof value !== 'number' || Number.isFinite(value)) return value;
  throw argumentError(name, 'a finite number', value);
}

function assertId(name: string, id: unknown): void {
  // An empty path segment, `.` or `..` would address another resource. No URL can contain a lone surrogate.
  if (typeof id !== 'string' || /^\.{0,2}$|\p{Surrogate}/u.test(id))
    throw argumentError(name, 'a resource id', id);
}

/**
 * The texts to send; none for undefined. Throws for a value that cannot be sent, such as an empty array: it would send
 * no filter, and the list would have every item.
 */
function textsOf(name: string, value: unknown): string[] {
  if (value === undefined) return [];
  const values: unknown[] = Array.isArray(value) && value.length > 0 ? value : [value];
  return values.map((each) => textOf(name, each));
}

function textOf(name: string, value: unknown): string {
  // `toJSON` returns text for `Date` and `Temporal` values, and null for an invalid date.
  const json = (Object(value) as { toJSON?(): unknown }).toJSON?.();
  // `Temporal` adds time zone and calendar in brackets, which are not part of ISO 8601.
  const plain = typeof json === 'string' ? json.replace(/\[.*/, '') : value;
  const text = String(plain);
  if (['string', 'number', 'bigint', 'boolean'].includes(typeof plain) && !/\p{Surrogate}/u.test(text))
    return text;
  throw argumentError(name, 'omitted or a valid value', value);
}

/** The error for an argument or an option with an invalid value. */
export function argumentError(name: string, expected: string, value: unknown): WorktableError {
  // In JSON, invalid numbers and dates are null.
  const shown = typeof value === 'number' || value instanceof Date ? String(value) : JSON.stringify(value);
  return new WorktableError(`${name} must be ${expected}, but it is ${shown}.`);
}
