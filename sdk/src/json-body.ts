import { WorktableError } from './errors.ts';

/** The body options of openapi-fetch. */
export interface JsonBody<Body> {
  readonly body: Body;
  readonly bodySerializer: () => string;
}

/** Serializes the body at once, so that later changes of the object do not affect any attempt. */
export function jsonBody<Body>(body: Body): JsonBody<Body> {
  try {
    const text = JSON.stringify(body);
    return { body, bodySerializer: () => text };
  } catch (cause) {
    const error = new WorktableError('The body cannot be serialized as JSON.', { cause });
    const bodySerializer = (): never => {
      // Thrown by the attempt, so that the call rejects instead of throwing synchronously.
      throw error;
    };
    return { body, bodySerializer };
  }
}
