import { describe, expect, it } from 'vitest';
import { BadRequestError, createClient, NotFoundError, type Client } from '../../sdk/src/index.ts';
import { allOperations, examplesOf } from '../support/contract.ts';
import { searchOf } from '../support/requests.ts';
import { sharedServer } from '../support/server.ts';
import { startMock } from './mock-process.ts';

const server = sharedServer();

const url = await startMock();

interface Documented {
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly example: unknown } } };
}

const documentedResponses = allOperations.flatMap((operation) => {
  // References are resolved, and a contract test ensures that every request body has an example.
  const { requestBody } = operation as unknown as Documented;
  const example = requestBody?.content['application/json'].example;
  const body = example === undefined ? {} : { body: JSON.stringify(example) };
  return Object.entries(operation.responses).map(([status, { content = {} }]) => ({
    ...operation,
    body,
    search: searchOf(operation.operationId),
    status: Number(status),
    mediaType: Object.keys(content)[0],
    example: Object.values(content).flatMap(examplesOf)[0],
  }));
});

describe('the mock', () => {
  it.each(documentedResponses)(
    '$operationId responds with $status if Prefer selects it',
    async (documented) => {
      const response = await fetch(url + documented.path.replace('{id}', '1') + documented.search, {
        method: documented.method,
        headers: {
          Authorization: 'Bearer any',
          'Content-Type': 'application/json',
          Prefer: `code=${documented.status}`,
        },
        ...documented.body,
      });

      expect(response.status).toBe(documented.status);
      expect(response.headers.get('Content-Type')?.replace('; charset=utf-8', '')).toBe(documented.mediaType);
      expect(response.headers.get('X-Request-Id')).toBeTruthy();
      const isPicture = documented.operationId.startsWith('render') && documented.status === 200;
      if (documented.example === undefined || isPicture) return;
      const requestId = response.headers.get('X-Request-Id');
      const example = documented.status < 400 ? {} : { request_id: requestId };
      expect(await response.json()).toEqual(
        Array.isArray(documented.example)
          ? documented.example
          : { ...Object(documented.example), ...example },
      );
    },
  );

  it('every operation without a token responds with 401', async () => {
    const statuses = await Promise.all(
      allOperations.map(async ({ path, method }) => {
        const response = await fetch(url + path.replace('{id}', '1'), { method });
        return response.status;
      }),
    );

    expect(new Set(statuses)).toEqual(new Set([401]));
  });

  it('the SDK throws the error that Prefer selects', async () => {
    const client = createClient({ baseUrl: url, token: 'any', retriesMax: 0 });

    const failure = client.tasks.get('any', { headers: { Prefer: 'code=404' } });

    await expect(failure).rejects.toThrow(NotFoundError);
  });

  it('a body that breaks the contract is refused with 400, as by the server', async () => {
    await expect(mock().tasks.create({ title: '' })).rejects.toThrow(BadRequestError);
  });

  it('a created resource is not a replay', async () => {
    const { response } = await mock().tasks.create({ title: 'Buy milk' }).withResponse();

    expect(response.status).toBe(201);
    expect(response.headers.get('Idempotency-Replayed')).toBeNull();
  });

  it('a chart is drawn from the request, as by the server', async () => {
    const chart = { title: 'Tasks', data: [{ label: 'todo', value: 7 }], theme: 'dark', width: 320 } as const;
    const onServer = createClient({ baseUrl: server.url, token: await server.token('alice') });

    const [drawn, expected] = await Promise.all(
      [mock(), onServer].map(async ({ viz }) => ({
        svg: (await viz.renderSvg(chart)).svg,
        png: (await viz.renderPng(chart)).bytes,
        pdf: (await viz.renderPdf(chart)).bytes,
      })),
    );

    expect(drawn).toEqual(expected);
    expect(drawn?.svg).not.toBe((await mock().viz.renderSvg({ ...chart, theme: 'light' })).svg);
  });

  it('Location is the path of what the response is about', async () => {
    const { tasks, agents } = mock();
    const task = await tasks.create({ title: 'Buy milk' }).withResponse();
    const comment = await tasks.createComment('1', { body: 'Oat milk, please.' }).withResponse();
    const run = await agents.run('1', { input: 'x' }, { prefer: 'respond-async' }).withResponse();

    const locations = [task, comment, run].map(({ response }) => response.headers.get('Location'));
    expect(locations).toEqual([
      `/api/tasks/${task.data.id}`,
      `/api/tasks/${comment.data.task_id}/comments`,
      `/v1/runs/${run.data.id}`,
    ]);
  });

  it('ETag is that of the task in the response', async () => {
    const { data, response } = await mock().tasks.update('1', { status: 'done' }).withResponse();

    expect(response.headers.get('ETag')).toBe(data.etag);
  });

  it('a run that is not waited for is queued', async () => {
    const { data, response } = await mock()
      .agents.run('1', { input: 'x' }, { prefer: 'respond-async' })
      .withResponse();

    expect(response.status).toBe(202);
    expect(response.headers.get('Preference-Applied')).toBe('respond-async');
    expect(data.status).toBe('queued');
  });

  it('a stream of changes stays open after its events', async () => {
    const leave = new AbortController();
    const response = await fetch(`${url}/api/changes?after=now`, {
      headers: { Authorization: 'Bearer any', Accept: 'text/event-stream' },
      signal: leave.signal,
    });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes('event: change\n')) text += (await reader?.read())?.value ?? '';

    const next = reader?.read().then(
      ({ done }) => (done ? 'ended' : 'another event'),
      () => 'left',
    );
    await mock().tasks.list().page();
    leave.abort();

    expect(await next).toBe('left');
  });

  it('a stream of a run is continued after the message that Last-Event-ID names', async () => {
    const eventsAfter = async (lastEventId?: string): Promise<string[]> => {
      const events: string[] = [];
      for await (const { event } of mock().runs.stream('1', { lastEventId })) events.push(event);
      return events;
    };

    expect(await eventsAfter()).toEqual(['run.started', 'message', 'run.completed']);
    expect(await eventsAfter('4')).toEqual(['run.started', 'run.completed']);
  });
});

describe('a request is answered as by the server', () => {
  it.each([
    ['with a slash at the end', 'GET', '/api/tasks/', 200],
    ['without a body in the response', 'HEAD', '/api/tasks', 200],
    ['about the methods of a path', 'OPTIONS', '/api/tasks', 204],
    ['with another method', 'PATCH', '/api/tasks', 405],
    ['at another path', 'GET', '/api/nothing', 404],
    ['with an unknown query parameter', 'GET', '/api/tasks?x=1', 400],
    ['with an ignored query parameter', 'GET', '/api/tasks?_=1', 200],
    ['with a value that a parameter cannot have', 'GET', '/api/tasks?limit=-1', 400],
    ['with a parameter that is given twice', 'GET', '/api/tasks?limit=1&limit=2', 400],
  ])('%s: %s %s', async (_which, method, path, status) => {
    const [mocked, expected] = await Promise.all(
      [
        { url, token: 'any' },
        { url: server.url, token: await server.token('alice') },
      ].map(async ({ url: base, token }) => {
        const response = await fetch(base + path, { method, headers: { Authorization: `Bearer ${token}` } });
        const type = response.headers.get('Content-Type');
        const text = await response.text();
        // Two successes count as equal if both have a body, because the mock and the server have different tasks.
        const body = text === '' || response.ok ? text !== '' : (JSON.parse(text) as object);
        return { status: response.status, type, allow: response.headers.get('Allow'), body };
      }),
    );

    expect(mocked?.status).toBe(status);
    const ofRequest = { request_id: expect.any(String) as string };
    const { body } = expected ?? {};
    expect(mocked).toEqual({
      ...expected,
      body: typeof body === 'object' ? { ...body, ...ofRequest } : body,
    });
  });
});

function mock(): Client {
  return createClient({ baseUrl: url, token: 'any', retriesMax: 0 });
}
