import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../sdk/src/index.ts';
import { sharedServer } from '../support/server.ts';
import { journey } from './journey.ts';
import { startProxy } from './mock-process.ts';

/** Steps that do not work through Prism's proxy. */
const excluded: readonly string[] = [
  'create a task without a title', // Prism rejects an invalid request itself.
  'run it as a stream', // Prism buffers a stream until it ends.
];

// Two users, so that neither lists the other's tasks.
const server = sharedServer();
const [alice, bob] = await Promise.all([server.token('alice'), server.token('bob')]);
const proxy = await startProxy(server.url, '--errors');
const onServer = await journey(createClient({ baseUrl: server.url, token: alice }), excluded);
const throughPrism = await journey(createClient({ baseUrl: proxy, token: bob }), excluded);

describe('the Prism proxy in front of a server that breaks the contract', () => {
  let proxy: string;
  const broken = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'X-Request-Id': 'r-1', ETag: '"1"' });
    response.end(JSON.stringify({ task: { id: 'not a UUID', title: 7 } }));
  });

  beforeAll(async () => {
    await new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', resolve));
    // The cast holds because a server that listens on a host and port has an AddressInfo.
    proxy = await startProxy(`http://127.0.0.1:${(broken.address() as AddressInfo).port}`, '--errors');
  });
  afterAll(() => {
    broken.close();
  });

  it('the proxy replaces an invalid response with a 500', async () => {
    const client = createClient({ baseUrl: proxy, token: 'any' });

    await expect(client.tasks.get('any')).rejects.toMatchObject({ status: 500, body: undefined });
  });
});

describe('the Prism proxy in front of the server', () => {
  it('the proxy finds no request or response that violates the contract', () => {
    expect(Object.keys(throughPrism).length).toBeGreaterThan(10);
    expect(throughPrism).toEqual(onServer);
  });
});
