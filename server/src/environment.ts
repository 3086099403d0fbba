/** The variables of the environment. */
export type Environment = Readonly<NodeJS.ProcessEnv>;

/** An error that stops the start and that the operator can fix; its message says how. */
export class StartupError extends Error {
  override name = 'StartupError';
}

/** The value of a variable. An empty value counts as absent. */
export function text(env: Environment, name: string): string | undefined {
  const value = env[name];
  return value === '' ? undefined : value;
}

export function integer(
  env: Environment,
  name: string,
  { fallback, min, max }: { fallback: number; min: number; max: number },
): number {
  const value = text(env, name);
  if (value === undefined) return fallback;
  const number = /^\d+$/.test(value) ? Number(value) : NaN;
  if (number >= min && number <= max) return number;
  throw new StartupError(`${name} must be a whole number from ${min} to ${max}, but it is "${value}".`);
}

export function choice<const Value extends string>(
  env: Environment,
  name: string,
  values: readonly Value[],
  fallback: Value,
): Value {
  const value = text(env, name);
  if (value === undefined) return fallback;
  const found = values.find((each) => each === value);
  if (found !== undefined) return found;
  throw new StartupError(`${name} must be one of ${values.join(', ')}, but it is "${value}".`);
}

/** A URL. Error messages do not repeat it, because the URL of a database usually contains a password. */
export function url(env: Environment, name: string, protocols: readonly string[]): string | undefined {
  const value = text(env, name);
  if (value === undefined) return undefined;
  if (!protocols.some((protocol) => value.toLowerCase().startsWith(`${protocol}//`))) {
    throw new StartupError(`${name} must be a URL that starts with ${protocols.join('// or ')}//.`);
  }
  if (isParsable(value)) return value;
  throw new StartupError(`${name} cannot be parsed: percent-encode / @ : # ? % where the password has them.`);
}

/** Drivers percent-decode user and password, which fails on a lone `%`. */
function isParsable(address: string): boolean {
  try {
    const { username, password } = new URL(address);
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}

/** A comma-separated list of origins, such as `https://app.example.com`. */
export function origins(env: Environment, name: string): readonly string[] {
  const values = (text(env, name) ?? '').split(',').flatMap((each) => each.trim() || []);
  const invalid = values.find((value) => !isOrigin(value));
  if (invalid === undefined) return values;
  if (URL.canParse(invalid) && invalid === `${new URL(invalid).origin}/`) {
    throw new StartupError(`${name} must list origins without a trailing slash, but it has "${invalid}".`);
  }
  throw new StartupError(
    `${name} must list origins such as https://app.example.com, but "${invalid}" is not an origin.`,
  );
}

/** One origin of HTTP, without a path. */
export function origin(env: Environment, name: string): string | undefined {
  const value = text(env, name);
  if (value === undefined || (isOrigin(value) && /^https?:/.test(value))) return value;
  throw new StartupError(
    `${name} must be an address such as https://tasks.example.com, without a path or a slash at its end, but it is "${value}".`,
  );
}

function isOrigin(value: string): boolean {
  return URL.canParse(value) && new URL(value).origin === value;
}
