import { StartupError } from '../lib/startup-error.ts';

export type Environment = Readonly<NodeJS.ProcessEnv>;

interface Setting<Name extends string = string, Value = unknown> {
  /** The variable. `<NAME>` stands for the name of a server, in capitals, that the operator has chosen. */
  readonly name: Name;
  /** Converts the text of the variable, or throws a StartupError that names the variable. */
  readonly parse: Parse<Value>;
  /** What operators read about the setting in the table of server/settings.md. */
  readonly meaning: string;
  /** The text to use if the variable is not set. Without it, the value is undefined, or the setting is required. */
  readonly default?: string;
  readonly isRequired?: true;
}

type Parse<Value> = (text: string, name: string) => Value;

export function optional<const Name extends string, Value>(
  name: Name,
  parse: Parse<Value>,
  meaning: string,
): Setting<Name, Value | undefined> {
  return { name, parse, meaning };
}

export function withDefault<const Name extends string, Value>(
  name: Name,
  parse: Parse<Value>,
  text: string,
  meaning: string,
): Setting<Name, Value> {
  return { name, parse, meaning, default: text };
}

/** A setting of a server that must be set if another setting of the same server is set. */
export function required<const Name extends string, Value>(
  name: Name,
  parse: Parse<Value>,
  meaning: string,
): Setting<Name, Value> {
  return { name, parse, meaning, isRequired: true };
}

/** Settings by the names of their values in the configuration. */
export type Settings = Readonly<Record<string, Setting>>;

export type ValuesOf<Group extends Settings> = {
  readonly [Key in keyof Group]: ReturnType<Group[Key]['parse']>;
};

/** Returns true if a variable belongs to a group. `<NAME>` matches any name. */
export function isVariableOf(group: Settings, variable: string): boolean {
  return Object.values(group).some((setting) => serverIn(setting, variable) !== undefined);
}

/** The name of the server in a variable, which is empty without one; undefined for a variable of another setting. */
function serverIn({ name }: Setting, variable: string): string | undefined {
  const match = new RegExp(`^${name.replace('<NAME>', '(.+)')}$`).exec(variable);
  return match === null ? undefined : (match[1] ?? '').toLowerCase().replaceAll('_', '-');
}

/** Reads the settings of a group. `server` replaces `<NAME>` in their variables. An empty variable counts as not set. */
export function readSettings<Group extends Settings>(
  env: Environment,
  group: Group,
  server = '',
): ValuesOf<Group> {
  const values = Object.entries(group).map(([key, setting]) => {
    const variable = setting.name.replace('<NAME>', server.toUpperCase().replaceAll('-', '_'));
    const text = env[variable] === '' ? undefined : env[variable];
    if (text === undefined && setting.isRequired === true)
      throw new StartupError(`${variable} must be set, because another setting of "${server}" is.`);
    const used = text ?? setting.default;
    return [key, used === undefined ? undefined : setting.parse(used, variable)];
  });
  // Each key has the value of its own setting, which the type of `Object.fromEntries` does not express.
  return Object.fromEntries(values) as ValuesOf<Group>;
}

/** Reads the settings of each server that a variable of the group names. Sorted by name. */
export function readServers<Group extends Settings>(
  env: Environment,
  group: Group,
  nameLengthMax: number,
): (ValuesOf<Group> & { readonly name: string })[] {
  const names = new Set<string>();
  for (const [variable, text = ''] of Object.entries(env)) {
    const name = Object.values(group).flatMap((setting) => serverIn(setting, variable) ?? [])[0];
    if (name === undefined || text === '') continue;
    if (!/^[a-z][a-z0-9-]*$/.test(name) || name.length > nameLengthMax)
      throw new StartupError(
        `${variable} names the server "${name}", but a name has letters, digits and "_", at most ${nameLengthMax}, and begins with a letter.`,
      );
    names.add(name);
  }
  return [...names].sort().map((name) => ({ ...readSettings(env, group, name), name }));
}
