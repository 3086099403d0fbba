import { WorktableError } from './errors.ts';
import type { Call } from './options.ts';

/** The headers of a call, without its token. Headers set by options override the caller's own `headers`. */
export function callHeaders({ headers, options }: Call): Headers {
  const result = new Headers({ Accept: 'application/json, application/problem+json' });
  for (const source of [options.headers ?? {}, headers]) {
    for (const [name, value] of Object.entries(source)) {
      if (value !== undefined) setHeader(result, name, value);
    }
  }
  return result;
}

export function withToken(headers: Headers, token: string): Headers {
  const result = new Headers(headers);
  result.set('Authorization', `Bearer ${token}`);
  return result;
}

/** Reports an invalid value by the name of its header: the platform's own message would contain the value. */
function setHeader(headers: Headers, name: string, value: string): void {
  try {
    headers.set(name, value);
  } catch {
    throw new WorktableError(`The header "${name}" contains a character that is not allowed in a header.`);
  }
}
