import { readFileSync } from 'node:fs';
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
  const address = new URL(url);
  for (const name of tlsFiles) address.searchParams.delete(name);
  const { host, port } = new pg.Client({ connectionString: address.href });
  return `${host}:${port}${address.pathname}`;
}

const tlsFiles = ['sslrootcert', 'sslcert', 'sslkey'];

/** Throws a StartupError if the driver cannot use an address, or would misunderstand it. */
export function assertUsableUrl(url: string): void {
  const { pathname, searchParams } = new URL(url);
  // Checks the TLS files here, because the driver's error when it connects does not name the parameter.
  for (const name of tlsFiles) {
    const file = searchParams.get(name);
    try {
      if (file !== null) readFileSync(file);
    } catch (cause) {
      throw new StartupError(
        `DATABASE_URL names a file in ${name} that cannot be read: ${reasonsOf(cause)}.`,
        { cause },
      );
    }
  }
  const { database = '', port } = new pg.Client({ connectionString: url });
  if (Number.isNaN(port)) throw new StartupError('DATABASE_URL has a port that is not a number. Correct it.');
  if (pathname.length > 1) return;
  // Without a name of a database, the driver would use the user's name.
  throw new StartupError(
    `DATABASE_URL names no database, so it would mean "${database}". Append the name, as in postgres://user:password@host:5432/${database}.`,
  );
}
