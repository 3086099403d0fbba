import { describe, expect, it } from 'vitest';
import { NotFoundError } from '../../sdk/src/index.ts';
import { collect, json, problem, startFakeServer, type FakeServer, type Reaction } from './fake-server.ts';
import { task } from './samples.ts';

/** Five tasks in pages of the size that is asked for. */
const fiveTasks: Reaction = (response, request) => {
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

describe('a list', () => {
  it('is read page by page while it is iterated', async () => {
    const server = await startFakeServer(fiveTasks);

    const tasks = await collect(server.client().tasks.list({ limit: 2, status: 'todo' }));

    expect(tasks.map(({ title }) => title)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(queries(server)).toEqual([
      '?limit=2&status=todo&offset=0',
      '?limit=2&status=todo&offset=2',
      '?limit=2&status=todo&offset=4',
    ]);
  });

  it('reads no page that is not needed', async () => {
    const server = await startFakeServer(fiveTasks);

    for await (const { title } of server.client().tasks.list({ limit: 2 })) if (title === 'b') break;

    expect(server.requests).toHaveLength(1);
  });

  it('can be iterated again, from its beginning', async () => {
    const server = await startFakeServer(fiveTasks);
    const list = server.client().tasks.list({ offset: 3 });

    expect(await collect(list)).toHaveLength(2);
    expect(await collect(list)).toHaveLength(2);
  });

  it('gives its pages, with their offset and the count of all', async () => {
    const server = await startFakeServer(fiveTasks);

    const pages = await collect(server.client().tasks.list({ limit: 3 }).pages());

    expect(pages.map(({ offset, count, items }) => [offset, count, items.length])).toEqual([
      [0, 5, 3],
      [3, 5, 2],
    ]);
  });

  it('gives its first page alone, with headers', async () => {
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
  ])('gives an array of at most %s entries', async (limit, length) => {
    const server = await startFakeServer(fiveTasks);

    const tasks = await server.client().tasks.list({ limit: 2 }).toArray({ limit });

    expect(tasks).toHaveLength(length);
  });

  it('refuses a limit of an array that is no number', async () => {
    const server = await startFakeServer(fiveTasks);

    await expect(server.client().tasks.list().toArray({ limit: NaN })).rejects.toThrow(/limit must be/);

    expect(server.requests).toHaveLength(0);
  });

  it('that does not count its entries ends with the first page that is not full', async () => {
    const server = await startFakeServer(json(200, [{ id: '1' }, { id: '2' }]), json(200, [{ id: '3' }]));

    const comments = await server.client().tasks.listComments('t', { limit: 2 }).toArray();

    expect(comments.map(({ id }) => id)).toEqual(['1', '2', '3']);
  });

  it('that does not count its entries goes on after a page that Link leads on from', async () => {
    const server = await startFakeServer((response, request) => {
      response.setHeader(
        'Link',
        '</comments?limit=2&offset=0>; rel="prev", </comments?offset=1>; rel="next"',
      );
      json(200, request.url.includes('offset=1') ? [] : [{ id: '1' }])(response, request);
    });

    const comments = await server.client().tasks.listComments('t', { limit: 2 }).toArray();

    expect(comments.map(({ id }) => id)).toEqual(['1']);
    expect(queries(server)).toEqual(['?limit=2&offset=0', '?limit=2&offset=1']);
  });

  it('ends with an empty page, whatever the count says', async () => {
    const server = await startFakeServer(json(200, { messages: [], count: 9 }));

    expect(await server.client().sessions.listMessages('s').toArray()).toEqual([]);

    expect(server.requests).toHaveLength(1);
  });

  it('sends several statuses as several parameters', async () => {
    const server = await startFakeServer(fiveTasks);

    await server
      .client()
      .tasks.list({ status: ['todo', 'a,b'] })
      .page();

    expect(queries(server)).toEqual(['?status=todo&status=a%2Cb&offset=0']);
  });

  it('refuses an empty array of statuses, which would be no filter', async () => {
    const server = await startFakeServer(fiveTasks);
    const list = server.client().tasks.list({ status: [] });

    await expect(list.toArray()).rejects.toThrow(/at least one status/);
    await expect(list.page()).rejects.toThrow(/at least one status/);

    expect(server.requests).toHaveLength(0);
  });

  it('throws what the server refuses', async () => {
    const server = await startFakeServer(problem(404, 'Task not found'));

    await expect(server.client().tasks.listAuditLogs('t').toArray()).rejects.toThrow(NotFoundError);
  });
});

describe('a result', () => {
  it('rejects both ways, and only where it is waited for', async () => {
    const server = await startFakeServer(problem(404, 'Task not found'));
    const { tasks } = server.client();

    await expect(tasks.get('1')).rejects.toThrow(NotFoundError);
    await expect(tasks.get('1').withResponse()).rejects.toThrow(NotFoundError);
  });

  it('of a change is bound to a version by ifMatch', async () => {
    const server = await startFakeServer(json(200, { task }));
    const { tasks } = server.client();

    await tasks.update('1', { status: 'done' }, { ifMatch: '"3"' });
    await tasks.delete('1', { ifMatch: '"4"' });
    await tasks.assign('1', { assignee_id: null }, { ifMatch: '"5"' });

    expect(server.requests.map(({ headers }) => headers['if-match'])).toEqual(['"3"', '"4"', '"5"']);
  });
});
