import { beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../support/server.ts';
import { createTask } from '../support/tasks.ts';
import { tokenFor } from '../support/tokens.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

async function request(method: string, path: string): Promise<Response> {
  return fetch(`${server.url}${path}`, {
    method,
    headers: { Authorization: `Bearer ${await tokenFor('alice')}` },
  });
}

const paths = [
  ['/api/tasks', 'GET, HEAD, POST, OPTIONS'],
  ['/api/tasks/some-id', 'GET, HEAD, PUT, DELETE, OPTIONS'],
  ['/api/tasks/some-id/assign', 'POST, OPTIONS'],
  ['/api/tasks/some-id/comments', 'GET, HEAD, POST, OPTIONS'],
  ['/api/tasks/some-id/audit-logs', 'GET, HEAD, OPTIONS'],
  ['/api/v1/viz', 'GET, HEAD, OPTIONS'],
  ['/api/v1/viz/render/svg', 'POST, OPTIONS'],
  ['/v1/agents', 'GET, HEAD, POST, OPTIONS'],
] as const;

describe.each(paths)('%s', (path, allow) => {
  it('tells its methods to OPTIONS, without a token', async () => {
    const response = await fetch(`${server.url}${path}`, { method: 'OPTIONS' });

    expect([response.status, response.headers.get('Allow')]).toEqual([204, allow]);
  });

  it.each(['PATCH', 'PROPFIND', 'PUT', 'DELETE', 'POST'].filter((method) => !allow.includes(method)))(
    'answers 405 with the same list to %s',
    async (method) => {
      const response = await request(method, path);

      expect([response.status, response.headers.get('Allow')]).toEqual([405, allow]);
      expect(await response.json()).toMatchObject({
        code: 'Method not allowed',
        error: 'Method not allowed',
      });
    },
  );
});

it('OPTIONS of an unknown path is 404', async () => {
  expect((await fetch(`${server.url}/nowhere`, { method: 'OPTIONS' })).status).toBe(404);
});

describe('HEAD', () => {
  it('has the status and headers of GET, and no body', async () => {
    const { id } = await createTask(await server.as('alice'));

    const [head, get] = [await request('HEAD', `/api/tasks/${id}`), await request('GET', `/api/tasks/${id}`)];

    expect(await head.text()).toBe('');
    for (const name of ['ETag', 'Content-Type', 'Content-Length']) {
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    }
  });

  it('of something that is not there is 404', async () => {
    expect((await request('HEAD', '/api/tasks/nowhere')).status).toBe(404);
  });

  it('needs a token where GET does', async () => {
    expect((await fetch(`${server.url}/api/tasks`, { method: 'HEAD' })).status).toBe(401);
  });
});

it('a path with a slash at its end is the path without', async () => {
  expect((await request('GET', '/api/tasks/')).status).toBe(200);
});
