import { STATUS_CODES } from 'node:http';
import type { Problem } from '../../contract/problem.ts';
import type { Schemas } from '../../contract/operation.ts';

/** Problem details as JSON (RFC 9457). */
export function problemBody(
  { code, status, message, errors, extensions }: Problem,
  requestId: string,
): string {
  const body: Schemas['Problem'] = {
    type: 'about:blank',
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail: message,
    code,
    error: code,
    request_id: requestId,
    ...(errors === undefined ? {} : { errors: [...errors] }),
    ...extensions,
  };
  return JSON.stringify(body);
}

/** The headers of every response with a problem. */
export function problemHeaders(problem: Problem): Readonly<Record<string, string>> {
  const { status, retryAfterS, headers } = problem;
  return {
    'Content-Type': 'application/problem+json',
    ...(status === 401 ? { 'WWW-Authenticate': challengeOf(problem) } : {}),
    ...(retryAfterS === undefined ? {} : { 'Retry-After': String(retryAfterS) }),
    ...headers,
  };
}

/**
 * The challenge of a 401, which says how to authenticate (RFC 6750, section 3). Only a 401 for a token that was sent
 * has errors.
 */
export function challengeOf({ errors, message }: Problem, parameters: readonly string[] = []): string {
  // A description has neither quotes nor backslashes.
  const description = message.replaceAll(/["\\]/g, "'");
  const error = errors && ['error="invalid_token"', `error_description="${description}"`];
  return ['Bearer', [...(error ?? []), ...parameters].join(', ')].join(' ').trim();
}
