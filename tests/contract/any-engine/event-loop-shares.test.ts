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
  let isFlooding = true;
  const connections = 60;
  const flood = Array.from({ length: connections }, async () => {
    while (isFlooding) {
      await sendMessage(server, token, 'tools/list');
      answered += 1;
    }
  });
  await expect.poll(() => answered, { interval: 1 }).toBeGreaterThan(connections);

  const answeredMeanwhile: number[] = [];
  for (let n = 0; n < 5; n += 1) {
    const before = answered;
    await bob.ok('getTask', { id });
    answeredMeanwhile.push(answered - before);
  }
  isFlooding = false;
  await Promise.all(flood);

  // Without turns, each of the connections would get two answers before bob gets one. The system may interrupt a
  // single request of bob's, but not most of them.
  const median = answeredMeanwhile.toSorted((a, b) => a - b)[2];
  expect(median).toBeLessThan(connections);
});
