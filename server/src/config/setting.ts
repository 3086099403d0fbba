export type Environment = Readonly<NodeJS.ProcessEnv>;

interface Setting {
  /** The variable. `<NAME>` stands for the name of a server, in capitals, that the operator has chosen. */
  readonly name: string;
  /** Converts the text of the variable, or throws a StartupError that names the variable. */
  readonly parse: (text: string, name: string) => unknown;
  /** The text to use if the variable is not set. Without it, the value is undefined, or the setting is required. */
  readonly default?: string;
  readonly isRequired?: true;
  /** What operators read about the setting in the table of server/README.md. */
  readonly meaning: string;
}

/** Settings by the names of their values in the configuration. */
export type Settings = Readonly<Record<string, Setting>>;

export type ValuesOf<Group extends Settings> = {
  readonly [Key in keyof Group]: Group[Key] extends { default: string } | { isRequired: true }
    ? ReturnType<Group[Key]['parse']>
    : ReturnType<Group[Key]['parse']> | undefined;
};

/** The text of a variable. An empty variable counts as not set. */
export function textOf(env: Environment, variable: string): string | undefined {
  const text = env[variable];
  return text === '' ? undefined : text;
}

/** The variable of a setting. `server` replaces `<NAME>`. */
export function variableOf({ name }: Setting, server = ''): string {
  return name.replace('<NAME>', server.toUpperCase().replaceAll('-', '_'));
}

/** Returns true if a variable belongs to a group. `<NAME>` matches any name. */
export function isVariableOf(group: Settings, variable: string): boolean {
  return Object.values(group).some(({ name }) =>
    new RegExp(`^${name.replace('<NAME>', '.+')}$`).test(variable),
  );
}

/** Reads the settings of a group. `server` replaces `<NAME>` in their variables. */
export function readSettings<Group extends Settings>(
  env: Environment,
  group: Group,
  server?: string,
): ValuesOf<Group> {
  const values = Object.entries(group).map(([key, setting]) => {
    const variable = variableOf(setting, server);
    const text = textOf(env, variable) ?? setting.default;
    return [key, text === undefined ? undefined : setting.parse(text, variable)];
  });
  // Each key has the value of its own setting, which the type of `Object.fromEntries` does not express.
  return Object.fromEntries(values) as ValuesOf<Group>;
}
