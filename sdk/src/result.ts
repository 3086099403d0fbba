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

/** A promise of the data; `withResponse` also gives the status and the headers of its answer. */
export interface Result<Data> extends Promise<Data> {
  withResponse(): Promise<Answer<Data>>;
}

/** The result that an answer makes, read out of its body where the two differ. */
export function resultOf<Data>(answer: Promise<Answer<Data>>): Result<Data>;
export function resultOf<Body, Data>(answer: Promise<Answer<Body>>, read: (body: Body) => Data): Result<Data>;
export function resultOf(
  answer: Promise<Answer<unknown>>,
  read = (body: unknown): unknown => body,
): Result<unknown> {
  const whole = answer.then(({ data, response }) => ({ data: read(data), response }));
  const data = whole.then((each) => each.data);
  return Object.assign(data, {
    withResponse() {
      // Whoever asks for the whole answer hears of a failure there, and need not handle it here too.
      data.catch(() => undefined);
      return whole;
    },
  });
}
