import { cleanUpAfter } from './cleanup.ts';
import { databaseUrl, run } from './postgres.ts';

/**
 * Creates a role that gets its rights in a database by the statements, until the test or file has ended. Resolves to the
 * address of the database for this role.
 */
export async function createRole(
  url: string,
  name: string,
  grants: (role: string) => string = () => '',
): Promise<URL> {
  const role = `worktable_${name}_${process.pid}`;
  await run(url, `create role ${role} login password 'secret'; ${grants(role)}`);
  cleanUpAfter(() => run(url, `drop owned by ${role}; drop role ${role}`));
  return Object.assign(new URL(url), { username: role, password: 'secret' });
}

/** Creates a role and an empty database of the same name, which it owns. Resolves to the address for this role. */
export async function createOwner(admin: string, name: string): Promise<URL> {
  const url = await createRole(admin, name);
  await run(admin, `create database ${url.username} owner ${url.username}`);
  cleanUpAfter(() => run(admin, `drop database if exists ${url.username} with (force)`));
  return new URL(databaseUrl(url.href, url.username));
}
