import { inspect } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { createClient, NotFoundError, UnauthorizedError, type LogEntry } from '../../sdk/src/index.ts';
import {
  collect,
  disconnect,
  json,
  problem,
  sseStream,
  startFakeServer,
  type Responder,
} from './fake-server.ts';
import { accepted, answer, completed, namesOf, overloaded, started, task } from './samples.ts';

const secret = 'very-secret-token';
const refused = problem(401, 'Unauthorized');
const inspectAll = { depth: Infinity, showHidden: true, getters: true } as const;

/** A token function that records its arguments. */
function countingTokens() {
  const asked: boolean[] = [];
  return {
    asked,
    token: ({ refresh }: { readonly refresh: boolean }): string => {
      asked.push(refresh);
      return `t-${asked.length}`;
    },
  };
}

describe('the token function', () => {
  it.each<[string, Responder[], boolean[]]>([
    ['is called for each attempt', [overloaded, answer], [false, false]],
    ['is asked for a new token if the server refuses one', [refused, answer], [false, true]],
  ])('%s', async (_promise, responders, refreshes) => {
    const server = await startFakeServer(...responders);
    const { asked, token } = countingTokens();

    await server.client({ token, retriesMax: 1 }).tasks.create({ title: 'Buy milk' });

    expect(asked).toEqual(refreshes);
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer t-1', 'Bearer t-2']);
    const keys = server.requests.map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(1);
  });

  it('is asked for one new token only, and a token that is a string is sent once', async () => {
    const server = await startFakeServer(refused);
    const { asked, token } = countingTokens();

    await expect(server.client({ token }).tasks.get('1')).rejects.toThrow(UnauthorizedError);
    expect(asked).toEqual([false, true]);
    await expect(server.client().tasks.get('1')).rejects.toThrow(UnauthorizedError);
    expect(server.requests).toHaveLength(3);
  });

  it('is asked for one new token by calls in parallel, and again when that is refused', async () => {
    let accepted = 't-2';
    const server = await startFakeServer((...exchange) => {
      const isAccepted = exchange[1].headers.authorization === `Bearer ${accepted}`;
      (isAccepted ? answer : refused)(...exchange);
    });
    const asked: boolean[] = [];
    let token = 't-1';
    const { tasks } = server.client({
      token: async ({ refresh }) => {
        asked.push(refresh);
        if (refresh) token = await Promise.resolve(accepted);
        return token;
      },
    });

    await Promise.all([tasks.get('1'), tasks.get('2'), tasks.get('3')]);
    expect(asked).toEqual([false, false, false, true]);
    accepted = 't-3';
    await tasks.get('1');
    expect(asked.slice(4)).toEqual([false, true]);
  });

  it.each([undefined, null, '', 7])('throws if it returns %j, before a request is sent', async (value) => {
    const server = await startFakeServer(answer);
    const token = (): string => value as unknown as string;

    await expect(server.client({ token }).tasks.get('1')).rejects.toThrow(/token must be/);
    expect(server.requests).toEqual([]);
  });

  it('is asked for a new token by a stream', async () => {
    const server = await startFakeServer(accepted, refused, sseStream([started, completed]));
    const { agents } = server.client({ token: countingTokens().token });

    const events = await collect(agents.stream('a-1', { input: 'x' }));

    expect(namesOf(events)).toEqual(['run.started', 'run.completed']);
  });
});

describe('a token', () => {
  it('is not shown by the client that has it', () => {
    const client = createClient({ baseUrl: 'http://localhost', token: secret });

    expect(inspect(client, inspectAll)).not.toContain(secret);
    expect(JSON.stringify(client)).not.toContain(secret);
  });

  it.each<[string, Responder]>([
    ['a failure of the server', problem(500, 'Server Error')],
    ['a broken connection', disconnect],
    ['a response that is not JSON', (response) => response.writeHead(200).end('<html>')],
  ])('is not in the error of %s', async (_what, responder) => {
    const server = await startFakeServer(responder);

    const error: unknown = await server
      .client({ token: secret, retriesMax: 0 })
      .tasks.get('1')
      .catch((reason: unknown) => reason);

    expect(error).toBeInstanceOf(Error);
    expect(inspect(error, inspectAll)).not.toContain(secret);
  });

  it('that is invalid is not in the error, nor is an invalid header', async () => {
    const server = await startFakeServer(answer);
    const badToken = server.client({ token: `${secret}\n` }).tasks.get('1');
    const badHeader = server.client().tasks.get('1', { headers: { 'X-Other': `${secret}\n.` } });

    await expect(badToken).rejects.toThrow(/token must be/);
    await expect(badToken).rejects.not.toThrow(secret);
    await expect(badHeader).rejects.toThrow(/"X-Other"/);
    await expect(badHeader).rejects.not.toThrow(secret);
  });

  it.each(['ftp://host', 'host', '', `https://user:${secret}@host`])(
    'is not in the error of the invalid baseUrl %j',
    (baseUrl) => {
      const create = (): unknown => createClient({ baseUrl, token: secret });

      expect(create).toThrow('baseUrl must be an http or https address');
      expect(create).not.toThrow(secret);
    },
  );

  it('is not replaced by the Authorization header of a call', async () => {
    const server = await startFakeServer(answer);

    await server.client({ token: secret }).tasks.get('1', { headers: { authorization: 'Bearer other' } });

    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${secret}`);
  });
});

describe('the log', () => {
  it('has an entry for each attempt, without token, URL, query or body', async () => {
    const server = await startFakeServer(overloaded, disconnect, json(200, { tasks: [], count: 0 }));
    const entries: LogEntry[] = [];
    const client = server.client({ token: secret, log: (entry) => entries.push(entry) });

    await client.tasks.list({ q: 'private words' }).toArray();

    expect(entries).toMatchObject([
      { operation: 'listTasks', attempt: 1, status: 503, requestId: 'r-1', failure: 'OverloadedError' },
      { operation: 'listTasks', attempt: 2, status: undefined, failure: 'ConnectionError' },
      { operation: 'listTasks', attempt: 3, status: 200, requestId: 'r-1', failure: undefined },
    ]);
    expect(JSON.stringify(entries)).not.toMatch(/secret|private|127\.0\.0\.1/);
  });

  it('may throw, which affects neither a success nor a failure', async () => {
    const server = await startFakeServer(answer, problem(404, 'Task not found'));
    const log = vi.fn(() => {
      throw new Error('The log is full.');
    });
    const { tasks } = server.client({ log });

    await expect(tasks.get('1')).resolves.toEqual(task);
    await expect(tasks.get('1')).rejects.toThrow(NotFoundError);

    expect(log).toHaveBeenCalledTimes(2);
  });
});
