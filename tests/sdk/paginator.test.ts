import { describe, expect, it } from 'vitest';
import { NotFoundError } from '../../sdk/src/index.ts';
import { collect, json, problem, startFakeServer, type FakeServer, type Responder } from './fake-server.ts';
import { task } from './samples.ts';

/** Responds with five tasks in pages of the requested size. */
const fiveTasks: Responder = (response, request) => {
  const query = new URL(request.url, 'http://host').searchParams;
  const offset = Number(query.get('offset') ?? 0);
  const all = ['a', 'b', 'c', 'd', 'e'].map((title) => ({ ...task, title }));
  json(200, { tasks: all.slice(offset, offset + Number(query.get('limit') ?? 100)), count: 5 })(
    response,
    request,
  );
};

function queries({ requests }: FakeServer): string[] {
  return requests.map(({ url }) => new URL(url, 'http://host').search);
}

describe('lists', () => {
  it('iteration fetches one page after another', async () => {
    const server = await startFakeServer(fiveTasks);

    const tasks = await collect(server.client().tasks.list({ limit: 2, status: 'todo' }));

    expect(tasks.map(({ title }) => title)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(queries(server)).toEqual([
      '?status=todo&limit=2',
      '?status=todo&limit=2&offset=2',
      '?status=todo&limit=2&offset=4',
    ]);
  });

  it('iteration fetches no page that the caller does not reach', async () => {
    const server = await startFakeServer(fiveTasks);

    for await (const { title } of server.client().tasks.list({ limit: 2 })) if (title === 'b') break;

    expect(server.requests).toHaveLength(1);
  });

  it('a second iteration starts from the beginning', async () => {
    const server = await startFakeServer(fiveTasks);
    const list = server.client().tasks.list({ offset: 3 });

    expect(await collect(list)).toHaveLength(2);
    expect(await collect(list)).toHaveLength(2);
  });

  it('pages yields pages with their offset and the total count', async () => {
    const server = await startFakeServer(fiveTasks);

    const pages = await collect(server.client().tasks.list({ limit: 3 }).pages());

    expect(pages.map(({ offset, count, items }) => [offset, count, items.length])).toEqual([
      [0, 5, 3],
      [3, 5, 2],
    ]);
  });

  it('page resolves to only the first page, with its response headers', async () => {
    const server = await startFakeServer(fiveTasks);

    const { data, response } = await server.client().tasks.list({ limit: 2 }).page().withResponse();

    expect(data.items).toHaveLength(2);
    expect(response).toMatchObject({ status: 200, requestId: 'r-1', attempts: 1 });
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    [undefined, 5],
    [3, 3],
    [0, 0],
    [9, 5],
  ])('toArray with limit %s resolves to at most that many items', async (limit, length) => {
    const server = await startFakeServer(fiveTasks);

    const tasks = await server.client().tasks.list({ limit: 2 }).toArray({ limit });

    expect(tasks).toHaveLength(length);
  });

  it('a page has the cursor of the next one, if there is one', async () => {
    const link = { Link: '</api/tasks?limit=1&cursor=abc>; rel="next"' };
    const server = await startFakeServer(
      json(200, { tasks: [task], count: 2 }, link),
      json(200, { tasks: [task], count: 2 }),
    );
    const { tasks } = server.client();

    const first = await tasks.list({ limit: 1 }).page();
    const second = await tasks.list({ limit: 1, cursor: first.nextCursor }).page();

    expect([first.hasMore, first.nextCursor]).toEqual([true, 'abc']);
    expect([second.hasMore, second.nextCursor]).toEqual([false, undefined]);
    expect(server.requests[1]?.url).toBe('/api/tasks?limit=1&cursor=abc');
  });

  it('toArray throws if limit is NaN', async () => {
    const server = await startFakeServer(fiveTasks);

    await expect(server.client().tasks.list().toArray({ limit: NaN })).rejects.toThrow(/limit must be/);

    expect(server.requests).toHaveLength(0);
  });

  it('a list without a count ends with the first page that is shorter than its limit', async () => {
    const server = await startFakeServer(json(200, [{ id: '1' }, { id: '2' }]), json(200, [{ id: '3' }]));

    const comments = await server.client().tasks.listComments('t', { limit: 2 }).toArray();

    expect(comments.map(({ id }) => id)).toEqual(['1', '2', '3']);
  });

  it('a list without a count continues after a short page whose Link header has a next page', async () => {
    const server = await startFakeServer((response, request) => {
      response.setHeader(
        'Link',
        '</comments?limit=2&offset=0>; rel="prev", </comments?offset=1>; rel="next"',
      );
      json(200, request.url.includes('offset=1') ? [] : [{ id: '1' }])(response, request);
    });

    const comments = await server.client().tasks.listComments('t', { limit: 2 }).toArray();

    expect(comments.map(({ id }) => id)).toEqual(['1']);
    expect(queries(server)).toEqual(['?limit=2', '?limit=2&offset=1']);
  });

  it('iteration continues by the cursor of the Link header and ends without one, whatever the count', async () => {
    const server = await startFakeServer((response, request) => {
      if (!request.url.includes('cursor'))
        response.setHeader('Link', '</tasks?cursor=c-1>; rel="next", </tasks?offset=0>; rel="prev"');
      json(200, { tasks: [task], count: 9 })(response, request);
    });

    const pages = await collect(server.client().tasks.list({ status: 'todo', limit: 1, offset: 4 }).pages());

    expect(pages.map(({ offset }) => offset)).toEqual([4, 5]);
    expect(queries(server)).toEqual(['?status=todo&limit=1&offset=4', '?status=todo&limit=1&cursor=c-1']);
  });

  it('a list ends with an empty page even if the count is higher', async () => {
    const server = await startFakeServer(json(200, { messages: [], count: 9 }));

    expect(await server.client().sessions.listMessages('s').toArray()).toEqual([]);

    expect(server.requests).toHaveLength(1);
  });

  it('several statuses are sent as several parameters', async () => {
    const server = await startFakeServer(fiveTasks);

    await server
      .client()
      .tasks.list({ status: ['todo', 'a,b'] })
      .page();

    expect(queries(server)).toEqual(['?status=todo&status=a%2Cb']);
  });

  it('an empty status array throws, because it would disable the filter', async () => {
    const server = await startFakeServer(fiveTasks);
    const list = server.client().tasks.list({ status: [] });

    await expect(list.toArray()).rejects.toThrow(/status must be a value to send, but it is \[\]/);
    await expect(list.page()).rejects.toThrow(/status must be a value to send, but it is \[\]/);

    expect(server.requests).toHaveLength(0);
  });

  it('a list throws the error of the server', async () => {
    const server = await startFakeServer(problem(404, 'Task not found'));

    await expect(server.client().tasks.listAuditLogs('t').toArray()).rejects.toThrow(NotFoundError);
  });
});

describe('results', () => {
  it('a failed call rejects both promises, without an unhandled rejection of the unused one', async () => {
    const server = await startFakeServer(problem(404, 'Task not found'));
    const { tasks } = server.client();

    await expect(tasks.get('1')).rejects.toThrow(NotFoundError);
    await expect(tasks.get('1').withResponse()).rejects.toThrow(NotFoundError);
  });

  it('update, delete and assign send ifMatch as If-Match', async () => {
    const server = await startFakeServer(json(200, { task }));
    const { tasks } = server.client();

    await tasks.update('1', { status: 'done' }, { ifMatch: '"3"' });
    await tasks.delete('1', { ifMatch: '"4"' });
    await tasks.assign('1', { assignee_id: null }, { ifMatch: '"5"' });

    expect(server.requests.map(({ headers }) => headers['if-match'])).toEqual(['"3"', '"4"', '"5"']);
  });
});
