import { WorktableError } from './errors.ts';
import type { ClientOptions } from './options.ts';

/** Validated client options with defaults applied. */
export interface ResolvedOptions {
  readonly baseUrl: string;
  readonly token: () => Promise<string>;
  readonly timeoutMs: number;
  readonly deadlineMs: number;
  readonly retriesMax: number;
  readonly log: ClientOptions['log'];
  readonly fetch: (request: Request) => Promise<Response>;
}

export function resolveOptions(options: ClientOptions): ResolvedOptions {
  const { baseUrl, token, timeoutMs = 60_000, deadlineMs = Infinity, retriesMax = 2, log } = options;
  assertNotNegative({ timeoutMs, deadlineMs, retriesMax });
  return {
    baseUrl: validUrl(baseUrl),
    token: async () => validToken(typeof token === 'function' ? await token() : token),
    timeoutMs,
    deadlineMs,
    retriesMax,
    log,
    // Looked up for each request, so that a later replacement of the global fetch takes effect.
    fetch: options.fetch ?? ((request) => globalThis.fetch(request)),
  };
}

/** Throws if an option is negative or NaN. */
export function assertNotNegative(numbers: Readonly<Record<string, number | undefined>>): void {
  for (const [name, value] of Object.entries(numbers)) {
    if (value === undefined || value >= 0) continue;
    throw new WorktableError(`${name} must be a number of at least 0, but it is ${value}.`);
  }
}

function validUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (url === undefined || !isHttp || url.username !== '' || url.password !== '') {
    // The message does not contain the value, which may include a password.
    throw new WorktableError('baseUrl must be an http or https address without a user name or password.');
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}

function validToken(token: string): string {
  // Checked here because the platform's error message would contain the token.
  if (/^[!-~]+$/.test(token)) return token;
  throw new WorktableError('The token must be text without spaces, line breaks or non-ASCII characters.');
}
