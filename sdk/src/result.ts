import { InvalidResponseError } from './errors.ts';
import { attachIdempotencyKey } from './retries.ts';

/** Metadata of a response. */
export interface ResponseInfo {
  readonly status: number;
  readonly headers: Headers;
  /** Identifies the request in the server's log. */
  readonly requestId: string | undefined;
  /** Number of attempts, including the successful one. */
  readonly attempts: number;
}

/** The data of a response with its status and headers. */
export interface ResponseWithData<Data> {
  readonly data: Data;
  readonly response: ResponseInfo;
}

/** A response with the idempotency key of its call. If the response is invalid, the error gets the key. */
export interface ResponseWithKey<Body> extends ResponseWithData<Body> {
  readonly idempotencyKey: string | undefined;
}

/** A promise of the data. `withResponse` resolves to the data, and the status and headers of the response. */
export interface Result<Data> extends Promise<Data> {
  withResponse(): Promise<ResponseWithData<Data>>;
}

/** The result of a response. `select` extracts the data from the body. */
export function resultOf<Body, Data = Body>(
  sent: Promise<ResponseWithKey<Body>>,
  select?: (body: Body) => Data,
): Result<Data>;
export function resultOf(
  sent: Promise<ResponseWithKey<unknown>>,
  select = (body: unknown): unknown => body,
): Result<unknown> {
  const withData = sent.then(({ data: body, response, idempotencyKey }) => {
    try {
      return { data: dataFrom(body, select), response };
    } catch (error) {
      throw attachIdempotencyKey(error, idempotencyKey);
    }
  });
  const data = withData.then((result) => result.data);
  return Object.assign(data, {
    withResponse() {
      // The caller handles the error of the returned promise. Here, the other promise is kept from an unhandled
      // rejection.
      data.catch(() => undefined);
      return withData;
    },
  });
}

/** Throws unless the value is an array, as the contract says. */
export function assertArray<Item>(value: Item[]): Item[] {
  if (Array.isArray(value)) return value;
  throw new InvalidResponseError('The response does not contain the list that the contract defines.');
}

function dataFrom(body: unknown, select: (body: unknown) => unknown): unknown {
  // Only a 304 (Not Modified) has no body.
  if (body === undefined) return undefined;
  try {
    const data = select(body);
    if (typeof data === 'object' && data !== null) return data;
  } catch (cause) {
    throw cause instanceof InvalidResponseError
      ? cause
      : new InvalidResponseError(contractMismatch, { cause });
  }
  throw new InvalidResponseError(contractMismatch);
}

const contractMismatch = 'The response does not match the contract.';
