import { WorktableError } from './errors.ts';
import type { Call } from './options.ts';

/** The headers of a call without its token. What the call leaves open, the caller's own headers say. */
export function headersOf({ headers, options }: Call): Headers {
  const result = new Headers({ Accept: 'application/json, application/problem+json' });
  for (const some of [options.headers ?? {}, headers]) {
    for (const [name, value] of Object.entries(some)) {
      if (value !== undefined) set(result, name, value);
    }
  }
  return result;
}

export function withToken(headers: Headers, token: string): Headers {
  const result = new Headers(headers);
  result.set('Authorization', `Bearer ${token}`);
  return result;
}

/** A bad value is refused by name: the platform's message would repeat it. */
function set(headers: Headers, name: string, value: string): void {
  try {
    headers.set(name, value);
  } catch {
    throw new WorktableError(`The header "${name}" has a character that no header can carry.`);
  }
}
