import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { sendRaw, sendUnfinished, untilCutOff } from '../support/raw.ts';
import { holdRequest, operationIds, requests } from '../support/requests.ts';
import { engine, startTestServer } from '../support/server.ts';
import { spec } from '../support/spec.ts';
import { createTask } from '../support/tasks.ts';
import { tokenFor } from '../support/tokens.ts';

describe.runIf(engine === 'postgres')('while the server works on all the requests it can take', () => {
  let url: string;
  let alice: Client;
  let release: () => void;
  let released: Promise<void>;

  beforeAll(async () => {
    const server = await startTestServer({ env: { MAX_REQUESTS: '1' } });
    url = server.url;
    alice = await server.as('alice');
    const held = await holdRequest(server);
    ({ release, released } = held);
  });

  afterAll(async () => {
    release();
    await released;
    await alice.ok('listTasks');
  });

  describe.each(operationIds)('%s', (operation) => {
    spec(operation, 503, 'is refused at once, with the time to try again', async () => {
      const { body, headers } = await alice.fails(operation, 503, requests[operation]);

      expect(body.code).toBe('Overloaded');
      expect(headers.get('Retry-After')).toBe('1');
    });
  });

  it('refuses before the body has come, as reading and checking it would be lost time', async () => {
    const authorization = `Authorization: Bearer ${await tokenFor('alice')}`;

    const answer = await sendRaw(
      url,
      `POST /api/tasks HTTP/1.1\r\nHost: x\r\n${authorization}\r\nConnection: close\r\nContent-Length: 100\r\n\r\n{`,
    );

    expect(answer).toMatch(/^HTTP\/1\.1 503 /);
  });

  it('is taken up again by the requests that come later', async () => {
    const server = await startTestServer({ env: { MAX_REQUESTS: '1' } });
    const bob = await server.as('bob');
    const held = await holdRequest(server);
    await bob.fails('listTasks', 503);

    held.release();
    await held.released;

    await createTask(bob);
  });
});

describe('a client that sends its body slowly', () => {
  it('takes nothing from the others, however many connections it opens', async () => {
    const server = await startTestServer({ env: { MAX_REQUESTS: '1' } });
    const authorization = `Authorization: Bearer ${await tokenFor('mallory')}`;
    const sockets = await Promise.all(
      Array.from({ length: 20 }, () =>
        sendUnfinished(server.url, `POST /api/tasks HTTP/1.1\r\nHost: x\r\n${authorization}`),
      ),
    );

    await createTask(await server.as('alice'));

    for (const socket of sockets) socket.destroy();
  });

  it('takes no memory with an answer that it does not read', async () => {
    const server = await startTestServer({ env: { REQUEST_TIMEOUT_MS: '1000' } });
    const page = 'GET /docs/swagger-ui.js HTTP/1.1\r\nHost: x\r\n\r\n';

    await untilCutOff(server.url, page.repeat(50));
  });

  it('is told that its time is over', async () => {
    const server = await startTestServer({ env: { REQUEST_TIMEOUT_MS: '1000' } });
    const authorization = `Authorization: Bearer ${await tokenFor('mallory')}`;

    const answer = await sendRaw(
      server.url,
      `POST /api/tasks HTTP/1.1\r\nHost: x\r\n${authorization}\r\nContent-Length: 100\r\n\r\n{`,
    );

    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toContain('"code":"Request timeout"');
  });
});

describe.runIf(engine === 'postgres')('when no connection to the database becomes free in time', () => {
  spec('listTasks', 503, 'is answered when no connection becomes free in time', async () => {
    const server = await startTestServer({ env: { DATABASE_POOL_SIZE: '1', DATABASE_POOL_WAIT_MS: '200' } });
    const held = await holdRequest(server);

    const { body } = await (await server.as('alice')).fails('listTasks', 503);

    expect(body.code).toBe('Overloaded');
    held.release();
    await held.released;
  });
});
