import { InvalidResponseError } from './errors.ts';
import { withKey } from './open-outcome.ts';

/** What is known of an answer besides its data. */
export interface ResponseInfo {
  readonly status: number;
  readonly headers: Headers;
  /** Names the request in the server's log. */
  readonly requestId: string | undefined;
  /** How often the request was sent until this answer came. */
  readonly attempts: number;
}

export interface Answer<Data> {
  readonly data: Data;
  readonly response: ResponseInfo;
}

/** An answer with the key of its call, for the error that says that it cannot be read. */
export interface KeyedAnswer<Body> extends Answer<Body> {
  readonly idempotencyKey: string | undefined;
}

/** A promise of the data; `withResponse` also gives the status and the headers of its answer. */
export interface Result<Data> extends Promise<Data> {
  withResponse(): Promise<Answer<Data>>;
}

/** The result that an answer makes, read out of its body where the two differ. */
export function resultOf<Data>(answer: Promise<KeyedAnswer<Data>>): Result<Data>;
export function resultOf<Body, Data>(
  answer: Promise<KeyedAnswer<Body>>,
  read: (body: Body) => Data,
): Result<Data>;
export function resultOf(
  answer: Promise<KeyedAnswer<unknown>>,
  read = (body: unknown): unknown => body,
): Result<unknown> {
  const whole = answer.then(({ data, response, idempotencyKey }) => {
    try {
      return { data: readBody(data, read), response };
    } catch (error) {
      throw withKey(error, idempotencyKey);
    }
  });
  const data = whole.then((each) => each.data);
  return Object.assign(data, {
    withResponse() {
      // Whoever asks for the whole answer hears of a failure there, and need not handle it here too.
      data.catch(() => undefined);
      return whole;
    },
  });
}

/** An array of the body, or a refusal of anything else that stands in its place. */
export function listIn<Item>(list: Item[]): Item[] {
  if (Array.isArray(list)) return list;
  throw new InvalidResponseError('The answer has no list where the contract has one.');
}

function readBody(body: unknown, read: (body: unknown) => unknown): unknown {
  // The answer that nothing has changed is the only one without a body.
  if (body === undefined) return undefined;
  try {
    const data = read(body);
    if (typeof data === 'object' && data !== null) return data;
  } catch (cause) {
    throw cause instanceof InvalidResponseError ? cause : new InvalidResponseError(misread, { cause });
  }
  throw new InvalidResponseError(misread);
}

const misread = 'The answer does not hold what the contract says.';
