/** Variables of the environment, as they were handed in. */
export type Environment = Readonly<NodeJS.ProcessEnv>;

/** Something that stops the start and that the operator can mend; its message is a sentence that says how. */
export class SetupError extends Error {
  override name = 'SetupError';
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
  throw new SetupError(`${name} must be a whole number from ${min} to ${max}, but it is "${value}".`);
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
  throw new SetupError(`${name} must be one of ${values.join(', ')}, but it is "${value}".`);
}

export function url(env: Environment, name: string, protocols: readonly string[]): string | undefined {
  const value = text(env, name);
  if (value === undefined) return undefined;
  const protocol = URL.canParse(value) ? new URL(value).protocol : '';
  if (protocols.includes(protocol)) return value;
  // The value is not repeated: a database address usually holds a password.
  throw new SetupError(`${name} must be an address that starts with ${protocols.join('// or ')}//.`);
}

/** A comma-separated list of origins, such as `https://app.example.com`. */
export function origins(env: Environment, name: string): readonly string[] {
  const values = (text(env, name) ?? '').split(',').flatMap((each) => each.trim() || []);
  const bad = values.find((value) => !URL.canParse(value) || new URL(value).origin !== value);
  if (bad === undefined) return values;
  throw new SetupError(`${name} must list origins such as https://app.example.com, but "${bad}" is none.`);
}
