import { StartupError } from '../lib/startup-error.ts';

/** Text of several lines. `\n` stands for a line break, because some files with variables cannot contain one. */
export function lines(value: string): string {
  return value.replaceAll('\\n', '\n');
}

export function integer(min: number, max: number) {
  return (value: string, name: string): number => {
    const number = /^\d+$/.test(value) ? Number(value) : NaN;
    if (number >= min && number <= max) return number;
    throw new StartupError(`${name} must be a whole number from ${min} to ${max}, but it is "${value}".`);
  };
}

const unitMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** A time in milliseconds, from a number and its unit. */
export function time(min: string, max: string) {
  return (value: string, name: string): number => {
    const ms = millisecondsOf(value);
    if (ms >= millisecondsOf(min) && ms <= millisecondsOf(max)) return ms;
    throw new StartupError(
      `${name} must be a time from ${min} to ${max}, such as 500ms, 30s, 5m, 1h or 7d, but it is "${value}".`,
    );
  };
}

function millisecondsOf(time: string): number {
  const { digits, unit } = /^(?<digits>\d+)(?<unit>ms|s|m|h|d)$/.exec(time)?.groups ?? {};
  // The cast is safe, because the expression has no other units.
  return digits === undefined ? NaN : Number(digits) * unitMs[unit as keyof typeof unitMs];
}

export function choice<const Value extends string>(...values: readonly Value[]) {
  return (value: string, name: string): Value => {
    const match = values.find((each) => each === value);
    if (match !== undefined) return match;
    throw new StartupError(`${name} must be one of ${values.join(', ')}, but it is "${value}".`);
  };
}

export function flag(value: string, name: string): boolean {
  return choice('true', 'false')(value, name) === 'true';
}

/** A URL. Error messages do not repeat it, because the URL of a database usually contains a password. */
export function url(...protocols: readonly string[]) {
  return (value: string, name: string): string => {
    if (!protocols.some((protocol) => value.toLowerCase().startsWith(`${protocol}//`)))
      throw new StartupError(`${name} must be a URL that starts with ${protocols.join('// or ')}//.`);
    const { protocol, username, password } = parsed(value, name);
    // `fetch` refuses such a URL with an error that quotes it.
    if (protocol.startsWith('http') && username + password !== '')
      throw new StartupError(`${name} must not have a user or password. Keys have settings of their own.`);
    return value;
  };
}

/** Throws, for example, for a `%` in the password that begins no escape, because drivers cannot decode it. */
function parsed(value: string, name: string): URL {
  try {
    const address = new URL(value);
    decodeURIComponent(address.username + address.password + address.pathname);
    return address;
  } catch {
    throw new StartupError(
      `${name} cannot be parsed: percent-encode / @ : # ? % where the password has them, and name one host only.`,
    );
  }
}

/**
 * A key that is sent in a header. Refuses characters that a header cannot have, because the error of `fetch` would
 * quote the key.
 */
export function bearerKey(value: string, name: string): string {
  if (/^[\x21-\x7e]+$/.test(value)) return value;
  throw new StartupError(`${name} must have visible ASCII characters only.`);
}

/** The items of a comma-separated list. */
export function items(value: string): string[] {
  return value.split(',').flatMap((item) => item.trim() || []);
}

/** A comma-separated list of origins, such as `https://app.example.com`. */
export function origins(value: string, name: string): readonly string[] {
  const listed = items(value);
  const invalid = listed.find((item) => !isOrigin(item));
  if (invalid === undefined) return listed;
  throw new StartupError(
    `${name} must list origins such as https://app.example.com, without paths, slashes at the end or patterns, but it has "${invalid}".`,
  );
}

/** OAuth scopes (RFC 6749, section 3.3), separated by spaces or commas. */
export function scopes(value: string): string[] {
  return value.split(/[\s,]+/).filter((scope) => scope !== '');
}

/** One HTTP origin, without a path. */
export function origin(value: string, name: string): string {
  if (isOrigin(value) && /^https?:/.test(value)) return value;
  throw new StartupError(
    `${name} must be an address such as https://tasks.example.com, without a path or a slash at its end, but it is "${value}".`,
  );
}

/** Returns true for an origin as browsers send it, including apps and extensions: `capacitor://localhost`. */
function isOrigin(value: string): boolean {
  if (!URL.canParse(value) || value.includes('*')) return false;
  const { protocol, host, origin } = new URL(value);
  // `URL` computes origins only for web schemes. For others it returns `null`.
  const isOfWeb = origin !== 'null' || protocol === 'file:';
  return isOfWeb ? origin === value : host !== '' && value === `${protocol}//${host}`;
}
