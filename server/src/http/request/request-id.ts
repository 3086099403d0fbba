import { randomUUID } from 'node:crypto';

/** The id of a request: the client's own X-Request-Id if it is safe to log, otherwise a new one. */
export function requestIdFrom(header: string): string {
  return /^[A-Za-z0-9._-]{1,128}$/.test(header) ? header : randomUUID();
}
