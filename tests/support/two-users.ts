import { createAgent, runAgent } from './agents.ts';
import { cleanUpAfter } from './cleanup.ts';
import { Client } from './client.ts';
import { startModelServer, type ModelServer } from './model-server.ts';
import { startProcess } from './process.ts';
import { createDatabase, type TestDatabase } from './server.ts';
import { secret, tokenFor } from './tokens.ts';
import { fillUser } from './user-data.ts';

/** Names that no other text contains. */
export const [erased, kept] = ['erased-d8Qx', 'kept-w3Rz'];

/** A database with two users, without a server. */
export async function filledDatabase(): Promise<TestDatabase['env']> {
  const database = await createDatabase();
  cleanUpAfter(() => database.drop());
  await onServer(database.env, async (as) => {
    for (const name of [erased, kept]) await fillUser(await as(name), name);
  });
  return database.env;
}

export type As = (user: string) => Promise<Client>;

export async function onServer<Result>(
  env: TestDatabase['env'],
  use: (as: As) => Promise<Result>,
): Promise<Result> {
  const server = await startProcess({ ...env, JWT_SECRET: secret });
  try {
    return await use(async (user) => new Client(server, await tokenFor(user)));
  } finally {
    await server.stop('SIGTERM');
  }
}

interface SilentModel {
  readonly model: ModelServer;
  /** Starts a run, and resolves when its model is asked, which never answers. */
  readonly startRun: (client: Client) => Promise<void>;
}

export async function silentModel(): Promise<SilentModel> {
  const model = await startModelServer();
  const asked = Promise.withResolvers<undefined>();
  model.respondWith(() => {
    asked.resolve(undefined);
  });
  const startRun = async (client: Client): Promise<void> => {
    const agent = await createAgent(client, { runtime: 'local' });
    await runAgent(client, agent, 'Think', { headers: { Prefer: 'respond-async' } });
    await asked.promise;
  };
  return { model, startRun };
}
