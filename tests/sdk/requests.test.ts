import { afterEach, describe, expect, it, vi } from 'vitest';
import { createClient, type Client, type ClientOptions, type FetchOptions } from '../../sdk/src/index.ts';
import { collect, json, startFakeServer } from './fake-server.ts';
import { overloaded, run, task } from './samples.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('the headers of a call', () => {
  const etag = '"3"';
  const key = 'idempotency-key';
  const done = { status: 'done' };
  const board = { headers: { 'X-App': 'board', 'X-Tenant': 'a' } };

  it.each<[string, (client: Client) => Promise<unknown>, Record<string, string>, Partial<ClientOptions>?]>([
    ['by ifMatch', ({ tasks }) => tasks.delete('1', { ifMatch: etag }), { 'if-match': etag }],
    [
      'by headers, where ifMatch is undefined',
      ({ tasks }) => tasks.delete('1', { headers: { 'If-Match': etag }, ifMatch: undefined }),
      { 'if-match': etag },
    ],
    [
      'by the option ifMatch rather than by headers',
      ({ tasks }) => tasks.update('1', done, { headers: { 'if-match': '"2"' }, ifMatch: etag }),
      { 'if-match': etag },
    ],
    [
      'by the option idempotencyKey rather than by headers',
      ({ tasks }) => tasks.create({ title: 'A' }, { headers: { [key]: 'mine' }, idempotencyKey: 'other' }),
      { [key]: 'other' },
    ],
    [
      'by its headers rather than by those of the client',
      ({ tasks }) => tasks.get('1', { headers: { 'x-tenant': 'b' } }),
      { 'x-app': 'board', 'x-tenant': 'b' },
      board,
    ],
  ])('are set %s', async (_how, call, headers, options) => {
    const server = await startFakeServer(json(200, { task, ...run }));

    await call(server.client(options));

    expect(server.requests[0]?.headers).toMatchObject(headers);
  });
});

describe('the options of a client', () => {
  it('fetchOptions are passed to fetch, overridden by those of the call', async () => {
    const seen: (FetchOptions | undefined)[] = [];
    const client = createClient({
      baseUrl: 'http://localhost',
      token: 't',
      fetchOptions: { cache: 'no-store', credentials: 'include' },
      fetch: (_request, options) => {
        seen.push(options);
        return Promise.resolve(Response.json({ task }));
      },
    });

    await client.tasks.get('1', { fetchOptions: { cache: 'reload' } });

    expect(seen).toEqual([{ cache: 'reload', credentials: 'include' }]);
  });

  it('withOptions creates a client that has them, except for the given ones', async () => {
    const server = await startFakeServer(overloaded);
    const client = server.client({ headers: { 'X-App': 'board' }, retriesMax: 0 });
    const derived = client.withOptions({ token: 'other', headers: { 'X-Tenant': 'b' } });

    for (const { tasks } of [derived, client]) await tasks.get('1').catch(() => undefined);

    const [ofDerived, ofClient] = server.requests.map(({ headers }) => headers);
    expect(server.requests).toHaveLength(2);
    expect(ofDerived).toMatchObject({ authorization: 'Bearer other', 'x-app': 'board', 'x-tenant': 'b' });
    expect(ofClient?.['authorization']).toBe('Bearer secret-token');
    expect(ofClient?.['x-tenant']).toBeUndefined();
  });

  it.each([
    ['/', '/api/tasks/1'],
    ['', '/api/tasks/1'],
    ['/worktable/', '/worktable/api/tasks/1'],
  ])('the base URL %j is a path of the server of the page', async (baseUrl, path) => {
    const server = await startFakeServer(json(200, { task }));
    vi.stubGlobal('location', { origin: server.url });

    await server.client({ baseUrl }).tasks.get('1');

    expect(server.requests[0]?.url).toBe(path);
  });

  it('a base URL that is a path is refused outside browsers', () => {
    expect(() => createClient({ baseUrl: '/', token: 't' })).toThrow(
      /baseUrl must be .* or, in a browser, a path/,
    );
  });

  it.each([
    ['http://localhost:3000', /does not allow pages of http:\/\/localhost:5173: add it to CORS_ORIGINS/],
    ['/', /^The server is unreachable, or the connection was closed\.$/],
  ])(
    'the error of an unreachable server at %j names CORS_ORIGINS if it has another origin',
    async (baseUrl, message) => {
      vi.stubGlobal('location', { origin: 'http://localhost:5173' });
      const fetch = (): Promise<Response> => Promise.reject(new TypeError('Failed to fetch'));
      const client = createClient({ baseUrl, token: 't', retriesMax: 0, fetch });

      await expect(client.tasks.get('1')).rejects.toThrow(message);
    },
  );
});

describe('the body of a request', () => {
  it('is the object as it was at the call, even in a retry', async () => {
    const draft = { title: 'Buy milk' };
    const server = await startFakeServer(overloaded, json(201, { task }));

    const creating = server.client({ token: () => Promise.resolve('t') }).tasks.create(draft);
    draft.title = 'Buy bread';
    await creating;

    expect(server.requests.map(({ body }) => body)).toEqual(['{"title":"Buy milk"}', '{"title":"Buy milk"}']);
  });

  it('that cannot be serialized as JSON rejects the call before a request is sent', async () => {
    const server = await startFakeServer(json(200, {}));
    const context: Record<string, unknown> = {};
    context['self'] = context;
    const { agents } = server.client();

    await expect(agents.run('1', { input: 'x', context })).rejects.toThrow(/as JSON/);
    await expect(collect(agents.stream('1', { input: 'x', context }))).rejects.toThrow(/as JSON/);

    expect(server.requests).toHaveLength(0);
  });
});
