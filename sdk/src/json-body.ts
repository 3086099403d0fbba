import { WorktableError } from './errors.ts';

/** A body on its way, as openapi-fetch takes it. */
export interface JsonBody<Body> {
  readonly body: Body;
  readonly bodySerializer: () => string;
}

/** A body as it is now: a draft that changes afterwards changes no attempt. */
export function jsonBody<Body>(body: Body): JsonBody<Body> {
  try {
    const text = JSON.stringify(body);
    return { body, bodySerializer: () => text };
  } catch (cause) {
    const failure = new WorktableError('The body cannot be written as JSON.', { cause });
    const bodySerializer = (): never => {
      // Not before the attempt, so that the call rejects as with any other failure.
      throw failure;
    };
    return { body, bodySerializer };
  }
}
