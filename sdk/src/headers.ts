import { WorktableError } from './errors.ts';
import type { Call } from './options.ts';

/** The headers of one attempt. A bad value is refused by name: the platform's message would repeat it. */
export function headersOf({ headers, options }: Call, token: string): Headers {
  const all: Record<string, string | undefined> = {
    ...options.headers,
    ...headers,
    Authorization: `Bearer ${token}`,
  };
  const result = new Headers({ Accept: 'application/json, application/problem+json' });
  for (const [name, value] of Object.entries(all)) {
    if (value === undefined) continue;
    try {
      result.set(name, value);
    } catch {
      throw new WorktableError(`The header "${name}" has a character that no header can carry.`);
    }
  }
  return result;
}
