import { WorktableError } from './errors.ts';
import type { ClientOptions } from './options.ts';

/** The options of a client, checked and complete. */
export interface Settings {
  readonly baseUrl: string;
  readonly token: () => Promise<string>;
  readonly timeoutMs: number;
  readonly deadlineMs: number;
  readonly retriesMax: number;
  readonly log: ClientOptions['log'];
  readonly fetch: (request: Request) => Promise<Response>;
}

export function settingsFrom(options: ClientOptions): Settings {
  const { baseUrl, token, timeoutMs = 60_000, deadlineMs = Infinity, retriesMax = 2, log } = options;
  checkNumbers({ timeoutMs, deadlineMs, retriesMax });
  return {
    baseUrl: checkedUrl(baseUrl),
    token: async () => checkedToken(typeof token === 'function' ? await token() : token),
    timeoutMs,
    deadlineMs,
    retriesMax,
    log,
    // Found anew for each request, so that a fetch that is replaced later counts.
    fetch: options.fetch ?? ((request) => globalThis.fetch(request)),
  };
}

/** Throws for a number of an option that no clock or counter can keep. */
export function checkNumbers(numbers: Readonly<Record<string, number | undefined>>): void {
  for (const [name, value] of Object.entries(numbers)) {
    if (value === undefined || value >= 0) continue;
    throw new WorktableError(`${name} must be a number of at least 0, but it is ${value}.`);
  }
}

function checkedUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (url === undefined || !isHttp || url.username !== '' || url.password !== '') {
    // The value is not repeated: it may hold a password.
    throw new WorktableError('baseUrl must be an http or https address without user and password.');
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}

function checkedToken(token: string): string {
  // Refused here, because the platform would repeat the token in its own message.
  if (/^[!-~]+$/.test(token)) return token;
  throw new WorktableError('The token must be text without spaces, line breaks and characters beyond ASCII.');
}
