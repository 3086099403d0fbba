import { expect } from 'vitest';
import { sendMessage } from '../../support/mcp.ts';
import { sharedServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';
import { createTask } from '../../support/tasks.ts';

const server = sharedServer();

spec('getTask', 200, 'does not wait for all requests of another user that need no database', async () => {
  const [token, bob] = [await server.token('alice'), await server.as('bob')];
  const { id } = await createTask(bob);
  let answered = 0;
  const listTools = async (): Promise<void> => {
    await sendMessage(server, token, 'tools/list');
    answered += 1;
  };
  const connections = 60;
  const flood = Array.from({ length: connections }, async () => {
    for (let n = 0; n < 5; n += 1) await listTools();
  });
  await expect.poll(() => answered, { interval: 1 }).toBeGreaterThan(connections);

  const before = answered;
  await bob.ok('getTask', { id });

  // Without turns, each of the connections would get two answers before bob gets one.
  expect(answered - before).toBeLessThan(connections);
  await Promise.all(flood);
});
