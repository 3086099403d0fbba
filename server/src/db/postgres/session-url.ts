import { sessionOptions } from '../session-settings.ts';

/** The address of a database, with this server's session settings and time limits. */
export function sessionUrl(url: string, limits: Readonly<Record<string, number>>): string {
  const address = new URL(url);
  // The driver would prefer the name in the address to its own setting.
  address.searchParams.delete('application_name');
  // If an option has several values, Postgres applies the last.
  const options = [...address.searchParams.getAll('options'), sessionOptions(limits)];
  address.searchParams.set('options', options.join(' '));
  return address.href;
}

/** The server and the name of a database, without the user and the password. */
export function serverName(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url);
  const host = hostname === '' ? (searchParams.get('host') ?? 'localhost') : hostname;
  return `${host}:${port === '' ? '5432' : port}${pathname}`;
}
