import { foreignResponse } from './error-from.ts';
import { ConnectionError, InvalidResponseError, WorktableError } from './errors.ts';
import type { OperationId } from './resources.ts';
import { pageOrigin } from './resolve-options.ts';

/** Throws an error with the start of a text that came in place of JSON, such as a page of HTML. */
export async function assertReadable(
  response: Response,
  { headers: accepted }: Request,
  operation: OperationId,
): Promise<Response> {
  const expectsJson = accepted.get('Accept')?.startsWith('application/json') === true;
  const isJson = /[/+]json\b/i.test(response.headers.get('Content-Type') ?? 'json');
  if (!response.ok || !expectsJson || isJson) return response;
  throw new InvalidResponseError(foreignResponse(response, await response.text(), operation));
}

/** The error of a request that got no response, or a response that cannot be read. */
export function failureOf(cause: unknown, baseUrl: string): WorktableError {
  if (cause instanceof WorktableError) return cause;
  // `fetch` throws a RangeError for a request that it cannot make.
  if (cause instanceof RangeError) return new WorktableError(cause.message, { cause });
  if (cause instanceof SyntaxError) return new InvalidResponseError('The response is not JSON.', { cause });
  return new ConnectionError(connectionFailure(baseUrl), { cause });
}

/** The error of an argument that no request can contain. */
export function invalidRequest(cause: unknown): WorktableError {
  if (cause instanceof WorktableError) return cause;
  return new WorktableError(`The request cannot be made: ${String(cause)}`, { cause });
}

/** Browsers hide from scripts that CORS is the reason for a failure. */
function connectionFailure(baseUrl: string): string {
  const origin = pageOrigin();
  const isSameOrigin = origin === undefined || new URL(baseUrl).origin === origin;
  return isSameOrigin
    ? 'The server is unreachable, or the connection was closed.'
    : `The server is unreachable, closed the connection, or does not allow pages of ${origin}: add it to CORS_ORIGINS on the server.`;
}
