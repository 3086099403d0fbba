import { WorktableError } from './errors.ts';
import type { RequestOptions } from './options.ts';

/** The headers that an operation adds to its call. Undefined values are left out. */
export type CallHeaders = Readonly<Record<string, string | undefined>>;

/**
 * The headers of a call, without its token. The options of the call take precedence over its `headers`, and these over
 * the client's `headers`.
 */
export function callHeaders(
  { headers, options }: { readonly headers: CallHeaders; readonly options: RequestOptions },
  ofClient: Readonly<Record<string, string>>,
): Headers {
  const result = new Headers({ Accept: 'application/json, application/problem+json' });
  for (const source of [ofClient, options.headers ?? {}, headers]) {
    for (const [name, value] of Object.entries(source)) {
      if (value !== undefined) setHeader(result, name, value);
    }
  }
  return result;
}

/** The value of a header that the caller has set. `name` is in lower case; the caller may use any case. */
export function headerOf({ headers = {} }: RequestOptions, name: string): string | undefined {
  return Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
}

export function withToken(headers: Headers, token: string): Headers {
  const result = new Headers(headers);
  result.set('Authorization', `Bearer ${token}`);
  return result;
}

/** Throws an error that names the header. The platform's own message would contain the invalid value. */
function setHeader(headers: Headers, name: string, value: string): void {
  try {
    headers.set(name, value);
  } catch {
    throw new WorktableError(`The header "${name}" contains a character that is not allowed in a header.`);
  }
}
