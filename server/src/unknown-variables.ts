import { StartupError, type Environment } from './environment.ts';

const prefixes =
  /^(?:DATABASE|JWT|JWKS|AGENT|RATE_LIMIT|CHART|SHUTDOWN|METRICS|CORS|MCP_SKILL|MAX_BUFFERED|MAX_CONCURRENT)_/;

/**
 * The variables that look like settings of this server but are none: they begin like one, or are one letter away from one.
 * Throws a StartupError where the mistake would open an empty database in place of the one that is meant.
 */
export function findUnknownVariables(env: Environment, known: ReadonlySet<string>): string[] {
  const unknown = Object.keys(env).filter((name) => !known.has(name));
  const misspelled = unknown.find((name) => isOneLetterAway(name, 'DATABASE_URL'));
  if (misspelled !== undefined && env['DATABASE_URL'] === undefined)
    throw new StartupError(`${misspelled} is not a setting of this server. Did you mean DATABASE_URL?`);
  return unknown.filter(
    (name) => prefixes.test(name) || [...known].some((each) => isOneLetterAway(name, each)),
  );
}

/** Whether one letter was left out, added, replaced, or exchanged with the next one. */
function isOneLetterAway(one: string, other: string): boolean {
  const start = Array.from(one).findIndex((letter, i) => letter !== other[i]);
  if (start === -1) return other.length === one.length + 1;
  const [rest, otherRest] = [one.slice(start), other.slice(start)];
  return (
    rest.slice(1) === otherRest ||
    rest === otherRest.slice(1) ||
    rest.slice(1) === otherRest.slice(1) ||
    (rest.slice(2) === otherRest.slice(2) && rest[0] === otherRest[1] && rest[1] === otherRest[0])
  );
}
