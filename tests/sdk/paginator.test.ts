import { describe, expect, it } from 'vitest';
import { NotFoundError, type Client } from '../../sdk/src/index.ts';
import { collect, json, problem, startFakeServer, type FakeServer, type Responder } from './fake-server.ts';
import { task } from './samples.ts';

/** Responds with five tasks, in pages of the requested size. */
const fiveTasks: Responder = (response, request) => {
  const query = new URL(request.url, 'http://host').searchParams;
  const offset = Number(query.get('offset') ?? 0);
  const all = ['a', 'b', 'c', 'd', 'e'].map((title) => ({ ...task, title }));
  const tasks = all.slice(offset, offset + Number(query.get('limit') ?? 100));
  json(200, { tasks, count: 5 })(response, request);
};

/** Responds with a Link header at first, and then without one. */
function linked(link: string, first: unknown, rest: unknown): Responder[] {
  return [json(200, first, { Link: link }), json(200, rest)];
}

function queriesTo({ requests }: FakeServer): string[] {
  return requests.map(({ url }) => new URL(url, 'http://host').search);
}

describe('a list', () => {
  const oneTask = { tasks: [task], count: 9 };
  const statuses = { status: ['todo', 'a,b'] };
  const ids = (items: readonly { readonly id: string }[]): string[] => items.map(({ id }) => id);

  it.each<[string, Responder[], (client: Client) => Promise<unknown>, unknown, string[]]>([
    [
      'is iterated page after page',
      [fiveTasks],
      async ({ tasks }) =>
        (await collect(tasks.list({ limit: 2, status: 'todo' }))).map(({ title }) => title),
      ['a', 'b', 'c', 'd', 'e'],
      ['?status=todo&limit=2', '?status=todo&limit=2&offset=2', '?status=todo&limit=2&offset=4'],
    ],
    [
      'fetches no page that the caller does not reach',
      [fiveTasks],
      async ({ tasks }) => {
        for await (const { title } of tasks.list({ limit: 2 })) if (title === 'b') return title;
        return 'not found';
      },
      'b',
      ['?limit=2'],
    ],
    [
      'continues by the cursor of the Link header and ends without one, whatever the count',
      linked('</tasks?cursor=c-1>; rel="next", </tasks?offset=0>; rel="prev"', oneTask, oneTask),
      async ({ tasks }) =>
        (await collect(tasks.list({ status: 'todo', limit: 1, offset: 4 }).pages())).map(
          ({ offset }) => offset,
        ),
      [4, 5],
      ['?status=todo&limit=1&offset=4', '?status=todo&limit=1&cursor=c-1'],
    ],
    [
      'without a count ends with the first page that is shorter than its limit',
      [json(200, [{ id: '1' }, { id: '2' }]), json(200, [{ id: '3' }])],
      async ({ tasks }) => ids(await tasks.listComments('t', { limit: 2 }).toArray()),
      ['1', '2', '3'],
      ['?limit=2', '?limit=2&offset=2'],
    ],
    [
      'ends with an empty page even if the count is higher',
      [json(200, { messages: [], count: 9 })],
      ({ sessions }) => sessions.listMessages('s').toArray(),
      [],
      [''],
    ],
    [
      'sends several statuses as several parameters',
      [fiveTasks],
      async ({ tasks }) => (await tasks.list(statuses).page()).count,
      5,
      ['?status=todo&status=a%2Cb'],
    ],
  ])('%s', async (_promise, responders, read, result, queries) => {
    const server = await startFakeServer(...responders);

    expect(await read(server.client())).toEqual(result);
    expect(queriesTo(server)).toEqual(queries);
  });

  it.each([
    [undefined, 5],
    [3, 3],
    [0, 0],
    [9, 5],
  ])('toArray with limit %s resolves to at most that many items', async (limit, length) => {
    const server = await startFakeServer(fiveTasks);

    expect(await server.client().tasks.list({ limit: 2 }).toArray({ limit })).toHaveLength(length);
  });

  it('toArray throws if limit is NaN', async () => {
    const server = await startFakeServer(fiveTasks);

    await expect(server.client().tasks.list().toArray({ limit: NaN })).rejects.toThrow(/limit must be/);
    expect(server.requests).toHaveLength(0);
  });
});

describe('a page', () => {
  it('has the cursor of the next one, if there is one', async () => {
    const one = { tasks: [task], count: 2 };
    const server = await startFakeServer(...linked('</api/tasks?limit=1&cursor=abc>; rel="next"', one, one));
    const { tasks } = server.client();

    const first = await tasks.list({ limit: 1 }).page();
    const second = await tasks.list({ limit: 1, cursor: first.nextCursor }).page();

    expect([first.hasMore, first.nextCursor]).toEqual([true, 'abc']);
    expect([second.hasMore, second.nextCursor]).toEqual([false, undefined]);
    expect(queriesTo(server)[1]).toBe('?limit=1&cursor=abc');
  });
});

it('a failed call rejects both promises, without an unhandled rejection of the unused one', async () => {
  const server = await startFakeServer(problem(404, 'Task not found'));
  const { tasks } = server.client();

  await expect(tasks.get('1')).rejects.toThrow(NotFoundError);
  await expect(tasks.get('1').withResponse()).rejects.toThrow(NotFoundError);
});
