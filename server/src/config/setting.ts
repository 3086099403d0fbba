import { StartupError } from '../lib/startup-error.ts';

export type Environment = Readonly<NodeJS.ProcessEnv>;

interface Setting {
  /** The variable. `<NAME>` stands for a server's name in capitals, which the operator chooses. */
  readonly name: string;
  /** Converts the text of the variable, or throws a StartupError that names the variable. */
  readonly parse: (text: string, name: string) => unknown;
  /** The text to use if the variable is not set. Without a default, the value is undefined. */
  readonly default?: string;
  /** True for a setting of a server that must be set if another setting of the same server is set. */
  readonly isRequired?: true;
}

/** Settings by the names of their values in the configuration. */
export type Settings = Readonly<Record<string, Setting>>;

type ValuesOf<Group extends Settings> = {
  readonly [Key in keyof Group]: ReturnType<Group[Key]['parse']> | Missing<Group[Key]>;
};

type Missing<One> = One extends { readonly default: string } | { readonly isRequired: true }
  ? never
  : undefined;

/** The server's name in a variable; undefined for another setting's variable. */
function serverIn({ name }: Setting, variable: string): string | undefined {
  const match = new RegExp(`^${name.replace('<NAME>', '(.+)')}$`).exec(variable);
  return match?.[1]?.toLowerCase().replaceAll('_', '-');
}

/** Reads a group's settings. `server` replaces `<NAME>` in their variables. An empty variable counts as not set. */
export function readSettings<Group extends Settings>(
  env: Environment,
  group: Group,
  server = '',
): ValuesOf<Group> {
  const values = Object.entries(group).map(([key, setting]) => {
    const variable = setting.name.replace('<NAME>', server.toUpperCase().replaceAll('-', '_'));
    const text = env[variable] === '' ? undefined : env[variable];
    if (text !== undefined && /^(?:[\s,]|\\n)+$/.test(text))
      throw new StartupError(`${variable} has only white space or commas. Set a value, or remove it.`);
    if (text === undefined && setting.isRequired === true)
      throw new StartupError(`${variable} must be set, because another setting of "${server}" is.`);
    const used = text ?? setting.default;
    return [key, used === undefined ? undefined : setting.parse(used, variable)];
  });
  // The cast is safe, because each key has the value of its own setting.
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
