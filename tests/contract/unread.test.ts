import { afterEach, beforeAll, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { sendAndLeaveUnread, sendRaw } from '../support/raw.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { spec } from '../support/spec.ts';
import { createTask } from '../support/tasks.ts';
import { tokenFor } from '../support/tokens.ts';

const long = '長'.repeat(65_536);
const room = 40 * 2 ** 20;

let server: TestServer;
let alice: Client;
let open: (() => void)[] = [];

beforeAll(async () => {
  server = await startTestServer({ env: { MAX_UNREAD_BYTES: String(room) } });
  alice = await server.as('alice');
  for (let n = 0; n < 22; n += 1) await createTask(alice, { description: long, metadata: long });
});

afterEach(async () => {
  for (const close of open) close();
  open = [];
  await expect.poll(unreadBytes).toBe(0);
});

async function leaveUnread(count: number): Promise<void> {
  const authorization = `Authorization: Bearer ${await tokenFor('alice')}`;
  const request = `GET /api/tasks HTTP/1.1\r\nHost: x\r\n${authorization}\r\n\r\n`;
  open = await Promise.all(Array.from({ length: count }, () => sendAndLeaveUnread(server.url, request)));
  await expect.poll(unreadBytes).toBeGreaterThan(8 * 2 ** 20);
}

async function unreadBytes(): Promise<number> {
  const response = await fetch(`${server.url}/metrics`);
  return Number(/^http_unread_bytes (\d+)$/m.exec(await response.text())?.[1]);
}

spec('listTasks', 503, 'is refused when clients leave many large answers unread', async () => {
  await leaveUnread(12);
  await expect.poll(unreadBytes).toBeGreaterThan(room / 4);

  const { body, headers } = await alice.fails('listTasks', 503);

  expect(body.code).toBe('Overloaded');
  expect(headers.get('Retry-After')).toBe('1');
  expect(await unreadBytes()).toBeLessThanOrEqual(room / 2);
});

spec('listTasks', 200, 'has room again once those clients are gone', async () => {
  await leaveUnread(12);
  for (const close of open) close();
  await expect.poll(unreadBytes).toBe(0);

  expect((await alice.ok('listTasks')).body.count).toBe(22);
});

spec('createTask', 201, 'goes on beside clients that leave their answers unread', async () => {
  await leaveUnread(12);
  const bob = await server.as('bob');

  await createTask(bob);

  expect((await bob.ok('listTasks')).body.count).toBe(1);
});

it('answers a client that reads, however much it asks for one after the other', async () => {
  const authorization = `Authorization: Bearer ${await tokenFor('alice')}`;
  const head = `GET /api/tasks HTTP/1.1\r\nHost: x\r\n${authorization}\r\nConnection: close\r\n\r\n`;

  for (let n = 0; n < 8; n += 1) expect(await sendRaw(server.url, head)).toMatch(/^HTTP\/1\.1 200 /);
});
