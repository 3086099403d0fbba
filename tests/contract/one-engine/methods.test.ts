import { describe, expect, it } from 'vitest';
import { allOperations } from '../../support/contract.ts';
import { sharedServer } from '../../support/server.ts';
import { createTask } from '../../support/tasks.ts';

const server = sharedServer();

async function request(method: string, path: string): Promise<Response> {
  return fetch(`${server.url}${path}`, {
    method,
    headers: { Authorization: `Bearer ${await server.token('alice')}` },
  });
}

/** Each path of the contract, with the methods that `Allow` must list. */
const paths = [...Map.groupBy(allOperations, ({ path }) => path)].map(([path, operations]) => {
  const documented = operations.map(({ method }) => (method === 'GET' ? 'GET, HEAD' : method));
  return [path.replace('{id}', 'some-id'), [...documented, 'OPTIONS'].join(', ')] as const;
});
const pages = ['/healthz', '/docs'];

describe.each([
  ...paths,
  ...pages.map((page) => [page, 'GET, HEAD, OPTIONS'] as const),
  ['/mcp', 'POST, OPTIONS'] as const,
])('%s', (path, allow) => {
  it('returns its methods to OPTIONS without a token', async () => {
    const response = await fetch(`${server.url}${path}`, { method: 'OPTIONS' });

    expect([response.status, response.headers.get('Allow')]).toEqual([204, allow]);
  });

  it('returns 405 with the same methods to all others', async () => {
    const others = ['PATCH', 'PROPFIND', 'GET', 'PUT', 'DELETE', 'POST'];
    for (const method of others.filter((each) => !allow.includes(each))) {
      const response = await request(method, path);

      expect([response.status, response.headers.get('Allow')], method).toEqual([405, allow]);
      const code = 'Method not allowed';
      expect(await response.json()).toMatchObject({ code, error: code });
    }
  });
});

it('OPTIONS of an unknown path is 404', async () => {
  expect((await fetch(`${server.url}/nowhere`, { method: 'OPTIONS' })).status).toBe(404);
});

describe('HEAD', () => {
  it('has the status and headers of GET, and no body', async () => {
    const { id, etag } = await createTask(await server.as('alice'));

    const [head, get] = [await request('HEAD', `/api/tasks/${id}`), await request('GET', `/api/tasks/${id}`)];

    expect([head.status, get.status]).toEqual([200, 200]);
    expect(await head.text()).toBe('');
    expect(lasting(head)).toEqual(lasting(get));
    expect(lasting(head)).toMatchObject({
      etag,
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(await get.text())),
    });
  });

  it.each(pages)('of %s is 200', async (page) => {
    expect((await request('HEAD', page)).status).toBe(200);
  });
});

/** Headers that describe the resource, not a single response or connection. */
function lasting({ headers }: Response): Record<string, string> {
  const others = ['connection', 'date', 'keep-alive', 'x-request-id'];
  return Object.fromEntries([...headers].filter(([name]) => !others.includes(name)));
}

it('a trailing slash in a path is ignored', async () => {
  expect((await request('GET', '/api/tasks/')).status).toBe(200);
});
