import type { Client } from './client.ts';
import type { Template } from './databases.ts';
import { databaseName } from './postgres.ts';
import { createDatabase, startTestServer, template, type TestDatabase } from './server.ts';
import { fillUser } from './user-data.ts';

/** Names of users that occur nowhere else. */
export const [erased, kept] = ['erased-d8Qx', 'kept-w3Rz'];

/** A database with two users, without a server. */
export async function filledDatabase(): Promise<TestDatabase['env']> {
  const database = await createDatabase();
  await onServer(database.env, async (as) => {
    for (const name of [erased, kept]) await fillUser(await as(name), name);
  });
  return database.env;
}

/** A copy of the database with two users, for a test that changes it. No server may be using the original. */
export async function copyOf(env: TestDatabase['env']): Promise<TestDatabase['env']> {
  if (template.engine === 'citus') return filledDatabase();
  const source: Template =
    template.engine === 'pglite'
      ? { engine: 'pglite', folder: env['DATA_DIR'] ?? '' }
      : { ...template, template: databaseName(env['DATABASE_URL'] ?? '') };
  return (await createDatabase(source)).env;
}

export type As = (user: string) => Promise<Client>;

/** Starts a server on an existing database, and stops it after `use`. */
export async function onServer<Result>(
  env: TestDatabase['env'],
  use: (as: As) => Promise<Result>,
): Promise<Result> {
  const server = await startTestServer({ sharing: { env } });
  try {
    return await use((user) => server.as(user));
  } finally {
    await server.close();
  }
}
