import type { Socket } from 'node:net';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Client } from '../../support/client.ts';
import { metricOf, rejectedRequests } from '../../support/metrics.ts';
import { answerToUnfinished, sendUnfinished, untilCutOff } from '../../support/raw.ts';
import { requests, userOperationIds } from '../../support/requests.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';
import { createTask } from '../../support/tasks.ts';
import { tokenFor } from '../../support/tokens.ts';

describe('while a caller holds its share of requests', () => {
  const origin = 'https://app.example.com';
  const lines: string[] = [];
  let server: TestServer;
  let url: string;
  let holder: Client;
  let authorization: string;
  let holding: Socket;

  beforeAll(async () => {
    server = await startTestServer({
      log: lines,
      env: { CORS_ORIGINS: origin },
      changes: { concurrentRequestsMax: 1, listener: { requestTimeoutMs: 600_000 } },
    });
    url = server.url;
    holder = await server.as('holder');
    authorization = `Bearer ${await tokenFor('holder')}`;
    holding = await sendUnfinished(url, headOf('POST /api/tasks'));
    await vi.waitUntil(async () => (await metricOf(server, 'http_requests_in_flight')) === 1, 120_000);
  });

  function headOf(line: string): string {
    return `${line} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nConnection: close`;
  }

  // Operations that wait for a render process, and so have another limit.
  const rendering: readonly string[] = ['renderPng', 'renderPdf'];
  describe.each(userOperationIds.filter((id) => !rendering.includes(id)))('%s', (operation) => {
    spec(operation, 503, 'is refused at once, with Retry-After', async () => {
      const { body, headers } = await holder.fails(operation, 503, requests[operation]);

      expect(body.code).toBe('Overloaded');
      expect(headers.get('Retry-After')).toBe('1');
    });
  });

  it.each(['POST /api/tasks', 'GET http://x/api/tasks', 'POST http://x/mcp'])(
    'the server refuses %s before its body',
    async (line) => {
      const countBefore = await rejectedRequests({ url });

      expect(await answerToUnfinished(url, headOf(line))).toMatch(/^HTTP\/1\.1 503 /);
      expect((await rejectedRequests({ url })) - countBefore).toBe(1);
    },
  );

  it('the server refuses operations with the headers of other refusals, which pages of CORS_ORIGINS can read', async () => {
    const headers = { Authorization: authorization, 'X-Request-Id': 'mine', Origin: origin };
    const other = await fetch(`${url}/none`, { headers: { Origin: origin } });

    const refused = await fetch(`${url}/api/tasks?limit=1`, { headers });

    expect(refused.status).toBe(503);
    expect(refused.headers.get('X-Request-Id')).toBe('mine');
    expect(refused.headers.get('Access-Control-Allow-Origin')).toBe(origin);
    expect(await refused.json()).toMatchObject({ code: 'Overloaded', request_id: 'mine' });
    const names = [...other.headers.keys(), 'retry-after'].toSorted();
    expect([...refused.headers.keys()]).toEqual(names);
  });

  it.each([
    ['GET', '/healthz', 200],
    ['GET', '/docs', 200],
    ['OPTIONS', '/api/tasks', 204],
    ['OPTIONS', '/mcp', 204],
    ['GET', '/api/tasks/%ZZ', 400],
    ['GET', '/api/tasks/%FF', 400],
  ])('the server responds to requests that are not operations: %s %s', async (method, path, status) => {
    expect((await fetch(url + path, { method })).status).toBe(status);
  });

  it('the server counts refused requests, and logs one of them a second, with the limit and its holders', async () => {
    const rejections = (): string[] => lines.filter((line) => line.includes('"status":503'));
    const linesBefore = rejections().length;
    const countBefore = await rejectedRequests({ url });

    const headers = { Authorization: authorization };
    await Promise.all(
      Array.from({ length: 20 }, async () => (await fetch(`${url}/api/tasks`, { headers })).body?.cancel()),
    );

    await expect.poll(rejections).not.toEqual([]);
    expect(rejections().length - linesBefore).toBeLessThan(5);
    const limit = { limit: 'http_requests_in_flight', holders: [{ user: 'holder', in_use: 1 }] };
    expect(JSON.parse(rejections()[0] ?? '')).toMatchObject({ user: 'holder', ...limit });
    expect((await rejectedRequests({ url })) - countBefore).toBe(20);
  });

  it('other callers are served, even while one holds all the capacity', async () => {
    await (await server.as('bob')).ok('listTasks');
  });

  it('requests succeed again afterwards', async () => {
    holding.destroy();

    await expect.poll(async () => (await holder.send('listTasks')).status).toBe(200);
  });
});

describe('a slow client', () => {
  it('that sends bodies slowly leaves capacity to other clients, and does not delay a shutdown', async () => {
    const server = await startTestServer({ changes: { concurrentRequestsMax: 1 } });
    const authorization = `Authorization: Bearer ${await tokenFor('mallory')}`;
    const sockets = await Promise.all(
      Array.from({ length: 20 }, () =>
        sendUnfinished(server.url, `POST /api/tasks HTTP/1.1\r\nHost: x\r\n${authorization}`),
      ),
    );

    for (const socket of sockets) socket.on('error', () => undefined);

    await createTask(await server.as('alice'));

    const startMs = performance.now();
    await server.close();
    expect(performance.now() - startMs).toBeLessThan(20_000);
  });

  it('that does not read its responses, or does not finish its body in time, is disconnected', async () => {
    const { url } = await startTestServer({ changes: { listener: { requestTimeoutMs: 1000 } } });
    const page = 'GET /docs/swagger-ui.js HTTP/1.1\r\nHost: x\r\n\r\n';
    const head = `POST /api/tasks HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${await tokenFor('mallory')}`;

    const [answer] = await Promise.all([answerToUnfinished(url, head), untilCutOff(url, page.repeat(50))]);

    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  });
});
