import { availableParallelism } from 'node:os';
import { beforeAll, describe, expect, it } from 'vitest';
import { childrenOf, hasEnded } from '../../support/children.ts';
import { Client } from '../../support/client.ts';
import { localToken, startProcess } from '../../support/process.ts';
import { createDatabase, type TestDatabase } from '../../support/server.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createDatabase();
});

// Only Linux lists the children of a process.
describe.runIf(process.platform === 'linux')('the render processes', () => {
  it.each(['SIGKILL', 'SIGTERM'] as const)('end with their server, also by %s', async (signal) => {
    const server = await startProcess(database.env);
    await new Client(server, await localToken(database.env)).ok('renderPng', { body: { data: [] } });
    const processes = await childrenOf(server.pid);

    await server.stop(signal);

    expect(processes).toHaveLength(Math.min(availableParallelism(), 4));
    await expect.poll(() => Promise.all(processes.map(hasEnded))).toEqual([true, true]);
  });
});
