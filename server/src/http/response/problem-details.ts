import { STATUS_CODES } from 'node:http';
import { errorCodes, Problem } from '../../errors.ts';
import type { ErrorCode, Schemas } from '../../operation.ts';

/** Problem details as JSON (RFC 9457). */
export function problemBody(
  code: ErrorCode,
  requestId: string,
  { message, errors, extensions }: Problem = new Problem(code),
): string {
  const [status] = errorCodes[code];
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
