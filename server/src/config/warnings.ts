import { StartupError } from '../lib/startup-error.ts';
import { readConfig } from './config.ts';
import { isVariableOf, type Environment, type Settings } from './setting.ts';
import { settings } from './settings.ts';

/**
 * Sentences about settings that may be mistakes. Throws a StartupError if a mistake would open another database than
 * the intended one.
 */
export function settingsWarnings(env: Environment = process.env): string[] {
  const {
    database,
    tokens: { issuer, secret, jwksUrl, audience },
  } = readConfig(env);
  const warnings = findUnknownVariables(env).map(
    (name) => `${name} looks like a setting of this server, but it has none of that name`,
  );
  const areKeysDiscovered = issuer !== undefined && secret === undefined && jwksUrl === undefined;
  if (areKeysDiscovered && audience === undefined)
    warnings.push(
      'JWT_AUDIENCE is not set, so tokens that JWT_ISSUER made for other applications are accepted',
    );
  if (env['NODE_ENV'] !== 'production' || database.url !== undefined) return warnings;
  if (env['DATABASE_URL'] === '')
    throw new StartupError(
      'DATABASE_URL is empty. Set it, or remove it to use the embedded database in DATA_DIR.',
    );
  return [...warnings, 'DATABASE_URL is not set, so the embedded database in DATA_DIR is used in production'];
}

/**
 * Unknown variables that look like settings: they begin like a setting, or differ from one by a letter. Throws a
 * StartupError if the mistake would open an empty database instead of the intended one.
 */
export function findUnknownVariables(env: Environment): string[] {
  const unknown = Object.keys(env).filter((name) => !groups.some((group) => isVariableOf(group, name)));
  const misspelled = unknown.find((name) => isOneLetterAway(name, 'DATABASE_URL'));
  if (misspelled !== undefined && env['DATABASE_URL'] === undefined)
    throw new StartupError(`${misspelled} is not a setting of this server. Did you mean DATABASE_URL?`);
  return unknown.filter(
    (name) => prefixes.has(firstWord(name)) || names.some((each) => isOneLetterAway(name, each)),
  );
}

const groups: readonly Settings[] = Object.values(settings);
const names = groups.flatMap((group) => Object.values(group).map(({ name }) => name));

/** The first words of settings, without words that begin variables of many other programs. */
const prefixes = new Set(
  names.map(firstWord).filter((word) => !['HOST', 'PORT', 'DATA', 'LOG', 'PUBLIC', 'REQUEST'].includes(word)),
);

function firstWord(name: string): string {
  return name.split('_', 1)[0] ?? name;
}

/** Returns true if two texts differ by one letter: left out, added, replaced or moved. */
function isOneLetterAway(one: string, other: string): boolean {
  return one !== other && withoutOneLetter(one).some((each) => withoutOneLetter(other).includes(each));
}

/** The text, and the text without each of its letters. */
function withoutOneLetter(text: string): string[] {
  return [text, ...Array.from(text, (_, i) => text.slice(0, i) + text.slice(i + 1))];
}
