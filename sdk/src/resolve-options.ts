import { WorktableError } from './errors.ts';
import type { ClientOptions, FetchOptions, LogEntry, RetryWait, TokenFunction } from './options.ts';

/** Validated options of a client, with defaults. */
export interface ResolvedOptions {
  readonly baseUrl: string;
  readonly token: (...options: Parameters<TokenFunction>) => Promise<string>;
  /** True if `token` is a function, which may return a new token. */
  readonly isTokenRefreshable: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetchOptions: FetchOptions | undefined;
  readonly timeoutMs: number;
  readonly deadlineMs: number;
  readonly retriesMax: number;
  readonly log: (entry: LogEntry) => void;
  readonly onRetry: (wait: RetryWait) => void;
  readonly fetch: (request: Request, options?: FetchOptions) => Promise<Response>;
}

export function resolveOptions(options: ClientOptions): ResolvedOptions {
  const { baseUrl, token, timeoutMs = 60_000, deadlineMs = Infinity, retriesMax = 2 } = options;
  assertNotNegative({ timeoutMs, deadlineMs, retriesMax });
  return {
    baseUrl: validUrl(baseUrl),
    token: async (request) => validToken(typeof token === 'function' ? await token(request) : token),
    isTokenRefreshable: typeof token === 'function',
    headers: options.headers ?? {},
    fetchOptions: options.fetchOptions,
    timeoutMs,
    deadlineMs,
    retriesMax,
    log: withoutErrors(options.log),
    onRetry: withoutErrors(options.onRetry),
    // `fetch` is looked up for each request, because the global function may be replaced later.
    fetch: options.fetch ?? ((request, init) => globalThis.fetch(request, init)),
  };
}

/** Calls a function of the application. Its errors must not fail a call or end a stream. */
export function withoutErrors<Value>(callback: ((value: Value) => void) | undefined): (value: Value) => void {
  return (value) => {
    try {
      callback?.(value);
    } catch {
      // The documentation of the option says that errors are ignored.
    }
  };
}

/** Throws if an option is negative or NaN. */
export function assertNotNegative(numbers: Readonly<Record<string, number | undefined>>): void {
  for (const [name, value] of Object.entries(numbers)) {
    if (value === undefined || value >= 0) continue;
    throw new WorktableError(`${name} must be a number of at least 0, but it is ${value}.`);
  }
}

/** The address without a slash at its end. */
function validUrl(baseUrl: string): string {
  const origin = pageOrigin();
  const url = URL.canParse(baseUrl, origin) ? new URL(baseUrl, origin) : undefined;
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (url === undefined || !isHttp || url.username !== '' || url.password !== '') {
    // The message does not show the value, because it may include a password.
    throw new WorktableError(
      'baseUrl must be an http or https address without a user name or password, or, in a browser, a path.',
    );
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/** The origin of the page that runs this code; undefined outside browsers. */
export function pageOrigin(): string | undefined {
  const { location } = globalThis as { location?: { readonly origin: string } };
  return location?.origin;
}

function validToken(token: string): string {
  // Checked here, because the platform's error message would contain the token.
  if (/^[!-~]+$/.test(token)) return token;
  throw new WorktableError('The token must be text without spaces, line breaks or non-ASCII characters.');
}
