import { afterEach, describe, expect, it, vi } from 'vitest';
import { createClient } from '../../sdk/src/index.ts';
import { json, startFakeServer } from './fake-server.ts';
import { task } from './samples.ts';

/** Makes this process look like a page of the origin. */
function onPage(origin: string): void {
  vi.stubGlobal('location', { origin });
}

afterEach(() => {
  vi.unstubAllGlobals();
});

const unreachable = {
  token: 't',
  retriesMax: 0,
  fetch: () => Promise.reject(new TypeError('Failed to fetch')),
};

describe('a client in a page', () => {
  it.each(['/', ''])('the base URL %j is the server of the page', async (baseUrl) => {
    const server = await startFakeServer(json(200, { task }));
    onPage(server.url);

    await server.client({ baseUrl }).tasks.get('1');

    expect(server.requests[0]?.url).toBe('/api/tasks/1');
  });

  it('a base URL may be a path, such as that of a proxy', async () => {
    const server = await startFakeServer(json(200, { task }));
    onPage(server.url);

    await server.client({ baseUrl: '/worktable/' }).tasks.get('1');

    expect(server.requests[0]?.url).toBe('/worktable/api/tasks/1');
  });

  it('a base URL that is a path is refused outside browsers', () => {
    expect(() => createClient({ baseUrl: '/', token: 't' })).toThrow(
      /baseUrl must be .* or, in a browser, a path/,
    );
  });

  it('the error of an unreachable server of another origin names CORS_ORIGINS and the origin of the page', async () => {
    onPage('http://localhost:5173');
    const client = createClient({ baseUrl: 'http://localhost:3000', ...unreachable });

    await expect(client.tasks.get('1')).rejects.toThrow(
      /does not allow pages of http:\/\/localhost:5173: add it to CORS_ORIGINS/,
    );
  });

  it('the error of an unreachable server of the same origin does not', async () => {
    onPage('http://localhost:3000');
    const client = createClient({ baseUrl: '/', ...unreachable });

    await expect(client.tasks.get('1')).rejects.toThrow(
      /^The server is unreachable, or the connection was closed\.$/,
    );
  });
});
