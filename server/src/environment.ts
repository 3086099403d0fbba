/** Variables of the environment, as they were handed in. */
export type Environment = Readonly<NodeJS.ProcessEnv>;

/** Something that stops the start and that the operator can mend; its message is a sentence that says how. */
export class StartupError extends Error {
  override name = 'StartupError';
}

/** The value of a variable; an empty one counts as absent. */
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

/** An address. Complaints do not repeat it: that of a database usually holds a password. */
export function url(env: Environment, name: string, protocols: readonly string[]): string | undefined {
  const value = text(env, name);
  if (value === undefined) return undefined;
  if (!protocols.some((protocol) => value.toLowerCase().startsWith(`${protocol}//`))) {
    throw new StartupError(`${name} must be an address that starts with ${protocols.join('// or ')}//.`);
  }
  if (isReadable(value)) return value;
  throw new StartupError(`${name} cannot be parsed: percent-encode / @ : # ? % where the password has them.`);
}

/** Drivers decode user and password, which a lone `%` prevents. */
function isReadable(address: string): boolean {
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
  const bad = values.find((value) => !URL.canParse(value) || new URL(value).origin !== value);
  if (bad === undefined) return values;
  if (URL.canParse(bad) && bad === `${new URL(bad).origin}/`) {
    throw new StartupError(`${name} must list origins without a slash at their end, but it has "${bad}".`);
  }
  throw new StartupError(`${name} must list origins such as https://app.example.com, but "${bad}" is none.`);
}
