import { parseArgs } from 'node:util';
import { program, StartupError } from '../lib/startup-error.ts';

/** The values of options and arguments. Arguments are named in lower case. */
export interface Arguments {
  /** A value that the synopsis requires. */
  readonly get: (name: string) => string;
  readonly find: (name: string) => string | undefined;
}

/**
 * Reads the arguments of a command by its synopsis, such as `user copy ID --to URL [--name NAME]`. Throws a
 * StartupError for missing and unknown arguments.
 */
export function readArguments(synopsis: string, args: string[]): Arguments {
  const parts = partsOf(synopsis);
  const options = parts.filter(({ isOption }) => isOption);
  const names = parts.filter(({ isOption }) => !isOption).map(({ name }) => name);
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: names.length > 0,
      options: Object.fromEntries(options.map(({ name, type }) => [name, { type }])),
    });
    if (positionals.length > names.length)
      throw new Error(`${positionals.slice(names.length).join(' ')} is too much.`);
    const find = (name: string): string | undefined => {
      const value = positionals[names.indexOf(name)] ?? values[name];
      return value === undefined ? undefined : String(value);
    };
    const missing = parts.find(
      ({ name, isRequired }) => (find(name) ?? (isRequired ? '' : undefined))?.trim() === '',
    );
    if (missing !== undefined) throw new Error(`${missing.text} is missing.`);
    return { find, get: (name) => find(name) ?? '' };
  } catch (error) {
    const sentence = error instanceof Error ? error.message : String(error);
    throw new StartupError(`${sentence}\nUsage: ${program} ${synopsis}`, { cause: error });
  }
}

/** The arguments and options of a synopsis. */
function partsOf(synopsis: string) {
  return [...synopsis.matchAll(/(\[)?(?:--([a-z]+)(?: ([A-Z]+))?|([A-Z]+))/g)].map(
    ([text, bracket, option, value, argument = '']) => ({
      text: text.replace('[', ''),
      name: option ?? argument.toLowerCase(),
      isOption: option !== undefined,
      isRequired: bracket === undefined,
      type: value === undefined ? ('boolean' as const) : ('string' as const),
    }),
  );
}
