import { describe, expect, it } from 'vitest';
import { createClient, type FetchOptions } from '../../sdk/src/index.ts';
import { json, problem, startFakeServer } from './fake-server.ts';
import { task } from './samples.ts';

describe('headers of a client', () => {
  it('every call sends them, and its own take precedence', async () => {
    const server = await startFakeServer(json(200, { task }));
    const { tasks } = server.client({ headers: { 'X-App': 'board', 'X-Tenant': 'a' } });

    await tasks.get('1', { headers: { 'x-tenant': 'b' } });

    expect(server.requests[0]?.headers).toMatchObject({ 'x-app': 'board', 'x-tenant': 'b' });
  });
});

describe('fetchOptions', () => {
  it('fetch receives those of the client, overridden by those of the call', async () => {
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
});

describe('withOptions', () => {
  it('the derived client has the options of the first one, except for the given ones', async () => {
    const server = await startFakeServer(problem(503, 'Overloaded', { 'Retry-After': '0' }));
    const client = server.client({ headers: { 'X-App': 'board' }, retriesMax: 0 });
    const derived = client.withOptions({ token: 'other', headers: { 'X-Tenant': 'b' } });

    await derived.tasks.get('1').catch(() => undefined);
    await client.tasks.get('1').catch(() => undefined);

    expect(server.requests).toHaveLength(2);
    expect(server.requests[0]?.headers).toMatchObject({
      authorization: 'Bearer other',
      'x-app': 'board',
      'x-tenant': 'b',
    });
    expect(server.requests[1]?.headers['authorization']).toBe('Bearer secret-token');
    expect(server.requests[1]?.headers['x-tenant']).toBeUndefined();
  });
});
