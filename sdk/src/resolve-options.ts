import { WorktableError } from './errors.ts';
import type { ClientOptions } from './options.ts';
import { page } from './page.ts';
import { argumentError } from './request.ts';

type Optional = 'headers' | 'fetch' | 'fetchOptions';

/** Validated options of a client, with defaults. */
export type ResolvedOptions = {
  readonly [Name in Exclude<keyof ClientOptions, 'token' | Optional>]-?: NonNullable<ClientOptions[Name]>;
} & Pick<ClientOptions, Optional> & { readonly tokens: ReturnType<typeof createTokens> };

export function resolveOptions({ baseUrl, token, ...options }: ClientOptions): ResolvedOptions {
  const { timeoutMs = 60_000, deadlineMs = Infinity, retriesMax = 2 } = options;
  const limits = { timeoutMs, deadlineMs, retriesMax };
  assertNotNegative(limits);
  return {
    ...options,
    ...limits,
    baseUrl: validUrl(baseUrl),
    tokens: createTokens(token),
    log: withoutErrors(options.log),
    onRetry: withoutErrors(options.onRetry),
    onRecovery: withoutErrors(options.onRecovery),
  };
}

/** Wraps a callback of the application, whose errors must not fail a call or end a stream. */
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
    throw argumentError(name, 'a number of at least 0', value);
  }
}

/** The address without a slash at its end. */
function validUrl(baseUrl: string): string {
  const origin = page.location?.origin;
  const { href } = URL.canParse(baseUrl, origin) ? new URL(baseUrl, origin) : { href: '' };
  // Scheme, host and path. The host must have no @, which would end credentials.
  const [address] = /^https?:\/\/[^/@]+\/[^?#]*/.exec(href) ?? [];
  if (address === undefined) {
    // The message does not show the value, because it may include a password.
    throw new WorktableError(
      'baseUrl must be an http or https address without credentials or, in a browser, a path.',
    );
  }
  return address.replace(/\/+$/, '');
}

function createTokens(token: ClientOptions['token']) {
  let renewal = Promise.resolve('');
  const read = async (refresh: boolean): Promise<string> =>
    validToken(typeof token === 'function' ? await token({ refresh }) : token);
  return {
    get: () => read(false),
    /**
     * Returns a function that renews the token. If another call has already renewed the token by then, both calls share
     * the new one. Returns undefined if `token` is a string, which cannot be renewed.
     */
    prepareRenewal: () => {
      const latest = renewal;
      const renew = (): Promise<string> => {
        if (renewal === latest) renewal = read(true);
        return renewal;
      };
      return typeof token === 'function' ? renew : undefined;
    },
  };
}

/** Throws if the token is invalid. Untyped code may return any value. */
function validToken(token: unknown): string {
  // Checked here, because the platform's error message would contain the token.
  if (typeof token === 'string' && /^[!-~]+$/.test(token)) return token;
  throw new WorktableError('The token must be visible ASCII text.');
}
