import { beforeAll, describe, expect } from 'vitest';
import { callTool, connectMcp } from '../../support/mcp.ts';
import { metricOf, rejectedRequests } from '../../support/metrics.ts';
import { whileLocked } from '../../support/locks.ts';
import { requests } from '../../support/requests.ts';
import { engine, startTestServer, type TestServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';
import { createTask } from '../../support/tasks.ts';

describe.runIf(engine === 'postgres')('the share of one caller', () => {
  spec('updateTask', 503, 'is a quarter of the requests that run or wait, through /mcp too', async () => {
    const server = await startTestServer({
      env: { AGENT_REQUESTS_PER_MINUTE: '1', DATABASE_POOL_SIZE: '8' },
      changes: { concurrentRequestsMax: 12 },
    });
    const [alice, bob] = [await server.as('alice'), await server.as('bob')];
    const client = await connectMcp(server, await server.token('alice'));
    const { id } = await createTask(alice);

    await whileLocked(server, `select from tasks where id = '${id}' for update`, async (transaction) => {
      const waiting = [1, 2, 3].map((priority) => alice.ok('updateTask', { id, body: { priority } }));
      await expect.poll(() => metricOf(server, 'http_requests_in_flight')).toBe(3);

      await alice.fails('updateTask', 503, { id, body: { priority: 4 } });
      expect(await rejectedRequests(server)).toBe(1);
      await expect(callTool(client, 'list_agents')).rejects.toThrow(/The server has more work than/);
      await createTask(bob);

      await transaction.query('commit');
      await Promise.all(waiting);
    });
    // The refused call has not used up the one call that this minute allows.
    expect((await callTool(client, 'list_agents')).isError).toBe(false);
  });

  describe('of the connections', () => {
    const lines: string[] = [];
    let server: TestServer;

    beforeAll(async () => {
      server = await startTestServer({
        log: lines,
        env: { DATABASE_POOL_SIZE: '2' },
        changes: { database: { poolWaitMs: 1500 } },
      });
    });

    describe.each(['listTasks', 'countTasks', 'batchTasks'] as const)('in %s', (operation) => {
      spec(operation, 503, 'is a quarter; others wait, and are logged if that is too long', async () => {
        const [alice, bob] = [await server.as('alice'), await server.as('bob')];
        const request = requests[operation];

        await whileLocked(
          server,
          'lock table tasks, task_counts in access exclusive mode',
          async (transaction) => {
            const first = alice.ok(operation, request);
            await transaction.waitUntilSomeoneWaits();
            const tooLate = alice.fails(operation, 503, request);

            await bob.ok('listAgents');
            await tooLate;
            const second = alice.ok(operation, request);
            await transaction.query('commit');
            await Promise.all([first, second]);
          },
        );
        await alice.ok(operation, request);
        await expect
          .poll(() => lines.splice(0).join('\n'))
          .toMatch(/"limit":"http_requests_running","holders":\[{"user":"alice"/);
      });
    });
  });
});
