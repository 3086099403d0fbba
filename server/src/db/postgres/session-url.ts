import pg from 'pg';
import { reasonsOf } from '../../ops/log.ts';
import { StartupError } from '../../lib/startup-error.ts';
import { sessionOptions } from '../session-settings.ts';

/** Parameters of an address that would override this server's settings of the driver. */
const ignoredParameters = [
  'application_name',
  'statement_timeout',
  'lock_timeout',
  'idle_in_transaction_session_timeout',
  'query_timeout',
];

/** The address of a database, with this server's session settings and time limits. */
export function sessionUrl(url: string, limits: Readonly<Record<string, number>>): string {
  const address = new URL(url);
  for (const name of ignoredParameters) address.searchParams.delete(name);
  // If an option has several values, Postgres applies the last.
  const options = [...address.searchParams.getAll('options'), sessionOptions(limits)];
  address.searchParams.set('options', options.join(' '));
  return address.href;
}

/** The server and the name of a database, as the driver understands its address. */
export function serverName(url: string): string {
  const { host, port } = clientOf(url);
  return `${host}:${port}${new URL(url).pathname}`;
}

/** Throws a StartupError if the driver would misunderstand an address. */
export function assertUsableUrl(url: string): void {
  if (new URL(url).pathname.length > 1) return;
  // Without a name of a database, the driver would use the user's name.
  const { database = '' } = clientOf(url);
  throw new StartupError(
    `DATABASE_URL names no database, so it would mean "${database}". Append the name, as in postgres://user:password@host:5432/${database}.`,
  );
}

function clientOf(url: string): pg.Client {
  try {
    const client = new pg.Client({ connectionString: url });
    if (Number.isNaN(client.port)) throw new Error('its port is not a number');
    return client;
  } catch (cause) {
    // The driver reads the files of TLS that the address names.
    throw new StartupError(`DATABASE_URL cannot be used: ${reasonsOf(cause)}.`, { cause });
  }
}
