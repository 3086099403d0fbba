import { inspect } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { createClient, NotFoundError, type LogEntry } from '../../sdk/src/index.ts';
import { disconnect, json, problem, startFakeServer, type Responder } from './fake-server.ts';
import { task } from './samples.ts';

const token = 'very-secret-token';
const inspectAll = { depth: Infinity, showHidden: true, getters: true } as const;

describe('the token', () => {
  it('each attempt sends the current result of the token function as a bearer token', async () => {
    const server = await startFakeServer(
      problem(503, 'Overloaded', { 'Retry-After': '0' }),
      json(200, { task }),
    );
    let count = 0;

    await server.client({ token: () => Promise.resolve(`t-${++count}`) }).tasks.get('1');

    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer t-1', 'Bearer t-2']);
  });

  it('inspecting a client does not reveal the token', async () => {
    const server = await startFakeServer(json(200, { task }));

    const client = server.client({ token });

    expect(inspect(client, inspectAll)).not.toContain(token);
    expect(JSON.stringify(client)).not.toContain(token);
  });

  it.each<[string, Responder]>([
    ['a failure of the server', problem(500, 'Server Error')],
    ['a broken connection', disconnect],
    ['a response that is not JSON', (response) => response.writeHead(200).end('<html>')],
  ])('the error of %s does not contain the token', async (_what, responder) => {
    const server = await startFakeServer(responder);

    const error: unknown = await server
      .client({ token, retriesMax: 0 })
      .tasks.get('1')
      .catch((reason: unknown) => reason);

    expect(error).toBeInstanceOf(Error);
    expect(inspect(error, inspectAll)).not.toContain(token);
  });

  it('the error of an invalid token or header does not contain its value', async () => {
    const server = await startFakeServer(json(200, { task }));
    const badToken = server.client({ token: `${token}\n` }).tasks.get('1');
    const badHeader = server.client().tasks.get('1', { headers: { 'X-Other': `${token}\n.` } });

    await expect(badToken).rejects.toThrow(/token must be/);
    await expect(badToken).rejects.not.toThrow(token);
    await expect(badHeader).rejects.toThrow(/"X-Other"/);
    await expect(badHeader).rejects.not.toThrow(token);
  });

  it('the Authorization header of a call does not replace the token', async () => {
    const server = await startFakeServer(json(200, { task }));

    await server.client({ token }).tasks.get('1', { headers: { authorization: 'Bearer other' } });

    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${token}`);
  });

  it.each(['ftp://host', 'host', '', `https://user:${token}@host`])(
    'the error of the invalid baseUrl %j does not contain its value',
    (baseUrl) => {
      expect(() => createClient({ baseUrl, token })).toThrow('baseUrl must be an http or https address');
      expect(() => createClient({ baseUrl, token })).not.toThrow(token);
    },
  );
});

describe('the log', () => {
  it('log is called after each attempt, without token, URL, query or body', async () => {
    const server = await startFakeServer(
      problem(503, 'Overloaded', { 'Retry-After': '0' }),
      disconnect,
      json(200, { tasks: [], count: 0 }),
    );
    const entries: LogEntry[] = [];
    const client = server.client({ token, log: (entry) => entries.push(entry) });

    await client.tasks.list({ q: 'private words' }).toArray();

    expect(entries).toMatchObject([
      { operation: 'listTasks', attempt: 1, status: 503, requestId: 'r-1', failure: 'OverloadedError' },
      { operation: 'listTasks', attempt: 2, status: undefined, failure: 'ConnectionError' },
      { operation: 'listTasks', attempt: 3, status: 200, requestId: 'r-1', failure: undefined },
    ]);
    expect(JSON.stringify(entries)).not.toMatch(/secret|private|127\.0\.0\.1/);
  });

  it('an error thrown by log affects neither a success nor a failure', async () => {
    const server = await startFakeServer(json(200, { task }), problem(404, 'Task not found'));
    const log = vi.fn(() => {
      throw new Error('The log is full.');
    });
    const { tasks } = server.client({ log });

    await expect(tasks.get('1')).resolves.toEqual(task);
    await expect(tasks.get('1')).rejects.toThrow(NotFoundError);

    expect(log).toHaveBeenCalledTimes(2);
  });
});
