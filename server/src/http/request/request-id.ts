import { randomUUID } from 'node:crypto';

/** The id of a request: what the client has named it in X-Request-Id, as far as that is fit for a log, or a new one. */
export function requestIdFrom(header: string): string {
  return /^[A-Za-z0-9._-]{1,128}$/.test(header) ? header : randomUUID();
}
