export type Environment = Readonly<NodeJS.ProcessEnv>;

interface Setting {
  /** The variable. `<NAME>` in it stands for the name of a server that the operator has chosen, in capitals. */
  readonly name: string;
  /** Returns the value of a text, or throws a StartupError that names the variable. */
  readonly parse: (text: string, name: string) => unknown;
  /** The text of a variable that is not set. Without it, the value is undefined, or the setting is required. */
  readonly default?: string;
  readonly isRequired?: true;
  /** The sentences for operators: a cell of the table in server/README.md. */
  readonly meaning: string;
}

/** Settings by the names of their values in the configuration. */
export type Settings = Readonly<Record<string, Setting>>;

export type ValuesOf<Group extends Settings> = {
  readonly [Key in keyof Group]: Group[Key] extends { default: string } | { isRequired: true }
    ? ReturnType<Group[Key]['parse']>
    : ReturnType<Group[Key]['parse']> | undefined;
};

/** The text of a variable. An empty one counts as absent. */
export function textOf(env: Environment, variable: string): string | undefined {
  const text = env[variable];
  return text === '' ? undefined : text;
}

/** The variable of a setting. `server` replaces `<NAME>`. */
export function variableOf({ name }: Setting, server = ''): string {
  return name.replace('<NAME>', server.toUpperCase().replaceAll('-', '_'));
}

/** Returns true for the variables of a group, whatever the name of the server is. */
export function isVariableOf(group: Settings, variable: string): boolean {
  return Object.values(group).some(({ name }) =>
    new RegExp(`^${name.replace('<NAME>', '.+')}$`).test(variable),
  );
}

/** Reads the settings of a group. If their variables have `<NAME>`, `server` replaces it. */
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
  // Each key has what its own setting parses, or undefined; `Object.fromEntries` loses which key has which.
  return Object.fromEntries(values) as ValuesOf<Group>;
}
