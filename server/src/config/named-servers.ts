import { StartupError } from '../startup-error.ts';
import type { SettingName } from './settings.ts';
import {
  isVariableOf,
  readSettings,
  textOf,
  variableOf,
  type Environment,
  type Settings,
  type ValuesOf,
} from './setting.ts';

interface ServerSettings<Group extends Settings> {
  /** The setting with the list of names. */
  readonly listedIn: SettingName;
  readonly group: Group;
}

/** Reads the settings of each server that the operator has named. */
export function readServers<Group extends Settings>(
  env: Environment,
  names: readonly string[],
  { listedIn, group }: ServerSettings<Group>,
): (ValuesOf<Group> & { readonly name: string })[] {
  const variables = names.flatMap((name) =>
    Object.values(group).map((setting) => ({ name, setting, variable: variableOf(setting, name) })),
  );
  for (const { name, setting, variable } of variables)
    if (setting.isRequired === true && textOf(env, variable) === undefined)
      throw new StartupError(`${listedIn} lists "${name}", so ${variable} must be set.`);
  const listed = new Set(variables.map(({ variable }) => variable));
  const unlisted = Object.keys(env).find(
    (variable) =>
      isVariableOf(group, variable) && !listed.has(variable) && textOf(env, variable) !== undefined,
  );
  // A setting of a server that is not listed has no effect.
  if (unlisted !== undefined)
    throw new StartupError(`${unlisted} is set, but ${listedIn} does not list its server.`);
  return names.map((name) => ({ name, ...readSettings(env, group, name) }));
}
