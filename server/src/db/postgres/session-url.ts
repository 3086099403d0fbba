import { readFileSync } from 'node:fs';
import pg from 'pg';
import { StartupError } from '../../startup-error.ts';
import { sessionOptions } from '../session-settings.ts';

/** Parameters of an address that would override the settings of this server in the driver. */
const ignoredParameters = [
  'application_name',
  'statement_timeout',
  'lock_timeout',
  'idle_in_transaction_session_timeout',
  'query_timeout',
];

/** The address of a database, with the settings and time limits of this server's sessions. */
export function sessionUrl(url: string, limits: Readonly<Record<string, number>>): string {
  const address = new URL(url);
  for (const name of ignoredParameters) address.searchParams.delete(name);
  // Postgres applies the last one of several values.
  const options = [...address.searchParams.getAll('options'), sessionOptions(limits)];
  address.searchParams.set('options', options.join(' '));
  return address.href;
}

/** Throws a StartupError for an address that the driver cannot use, or would use in another way than intended. */
export function assertUsableUrl(url: string): void {
  assertReadable(url);
  assertNamesDatabase(url);
}

/** The driver reads the files of TLS when it connects, and its error does not name the parameter. */
function assertReadable(url: string): void {
  for (const name of ['sslrootcert', 'sslcert', 'sslkey']) {
    const file = new URL(url).searchParams.get(name);
    try {
      if (file !== null) readFileSync(file);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new StartupError(`DATABASE_URL names a file in ${name} that cannot be read: ${reason}.`, {
        cause,
      });
    }
  }
}

/** Without a name, the driver would take the database that is named after the user. */
function assertNamesDatabase(url: string): void {
  if (new URL(url).pathname.length > 1) return;
  const { database = '' } = new pg.Client({ connectionString: url });
  throw new StartupError(
    `DATABASE_URL names no database, so it would mean "${database}". Append the name, as in postgres://user:password@host:5432/${database}.`,
  );
}
