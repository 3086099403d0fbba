import { StartupError, text, type Environment } from './environment.ts';

/** Settings that operators repeat for each server that they name. */
interface NamedSettings {
  /** The variable that lists the names, such as AGENT_RUNTIMES. */
  readonly list: string;
  /** What the variables of a name begin with, before its name in capitals. */
  readonly prefix: string;
  /** What they end with. */
  readonly suffixes: readonly string[];
  /** What has the name, for sentences. */
  readonly kind: string;
  /** A name that the operator cannot give. */
  readonly reserved?: string;
}

/** Reads the settings of each listed name. `read` is called with the name and the prefix of its variables. */
export function readNamedSettings<Settings>(
  env: Environment,
  named: NamedSettings,
  read: (name: string, prefix: string) => Settings,
): Settings[] {
  const names = (text(env, named.list) ?? '').split(',').flatMap((name) => name.trim() || []);
  const invalid = names.find((name) => !/^[a-z][a-z0-9-]{0,62}$/.test(name) || name === named.reserved);
  if (invalid !== undefined) {
    const reservation = named.reserved === undefined ? '' : `, and "${named.reserved}" is reserved`;
    throw new StartupError(
      `${named.list} lists "${invalid}", but a name consists of lower-case letters, digits and "-"${reservation}.`,
    );
  }
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw new StartupError(`${named.list} lists "${repeated}" more than once.`);
  const prefixes = names.map((name) => prefixOf(named, name));
  rejectUnlisted(env, named, prefixes);
  return names.map((name) => read(name, prefixOf(named, name)));
}

function prefixOf({ prefix }: NamedSettings, name: string): string {
  return `${prefix}_${name.toUpperCase().replaceAll('-', '_')}`;
}

/** The settings of a name that is not listed would have no effect. */
function rejectUnlisted(env: Environment, named: NamedSettings, prefixes: readonly string[]): void {
  const pattern = new RegExp(`^(${named.prefix}_.+)_(?:${named.suffixes.join('|')})$`);
  const unlisted = Object.keys(env).find((variable) => {
    const prefix = pattern.exec(variable)?.[1];
    return prefix !== undefined && !prefixes.includes(prefix) && text(env, variable) !== undefined;
  });
  if (unlisted === undefined) return;
  throw new StartupError(`${unlisted} is set, but ${named.list} does not list its ${named.kind}.`);
}
