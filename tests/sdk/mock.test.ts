import { describe, expect, it } from 'vitest';
import { createClient, type Client } from '../../sdk/src/index.ts';
import { allOperations, examplesOf } from '../support/contract.ts';
import { searchOf } from '../support/requests.ts';
import { startMock } from './mock-process.ts';

const url = await startMock();

interface Documented {
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly example: unknown } } };
}

const documentedResponses = allOperations.flatMap((operation) => {
  // The cast holds because references are resolved. A contract test checks that every body has an example.
  const { requestBody } = operation as unknown as Documented;
  const example = requestBody?.content['application/json'].example;
  const body = example === undefined ? {} : { body: JSON.stringify(example) };
  // The mock shows a chart only at an address that it has made.
  const isAddress = operation.operationId === 'getLinkedChart';
  const statuses = Object.entries(operation.responses).filter(([status]) => !isAddress || status >= '400');
  return statuses.map(([status, { content = {} }]) => ({
    ...operation,
    body,
    status: Number(status),
    mediaType: Object.keys(content)[0],
    example: Object.values(content).flatMap(examplesOf)[0],
  }));
});

describe('the mock', () => {
  it.each(documentedResponses)(
    '$operationId responds with $status if Prefer selects it',
    async ({ operationId, path, method, status, mediaType, body, example }) => {
      const response = await fetch(url + path.replace('{id}', '1') + searchOf(operationId), {
        method,
        headers: {
          Authorization: 'Bearer any',
          'Content-Type': 'application/json',
          Prefer: `code=${status}`,
        },
        ...body,
      });

      const requestId = response.headers.get('X-Request-Id');
      expect(response.status).toBe(status);
      expect(response.headers.get('Content-Type')?.replace('; charset=utf-8', '')).toBe(mediaType);
      expect(requestId).toBeTruthy();
      const isPicture = /^render|Chart$/.test(operationId) && status === 200;
      if (example === undefined || isPicture) return;
      const ownId = status < 400 ? {} : { request_id: requestId };
      expect(await response.json()).toEqual(
        Array.isArray(example) ? example : { ...Object(example), ...ownId },
      );
    },
  );

  it('shows a chart at its address', async () => {
    const { url: address } = await mock().viz.link({ chart: { title: 'Mine', data: [] }, format: 'svg' });

    expect(address.startsWith(url)).toBe(true);
    expect(await (await fetch(address)).text()).toContain('Mine');
  });

  it('every operation without a token responds with 401, if it needs one', async () => {
    const statuses = await Promise.all(
      allOperations
        .filter(({ responses }) => '401' in responses)
        .map(async ({ path, method }) => {
          const response = await fetch(url + path.replace('{id}', '1'), { method });
          return response.status;
        }),
    );

    expect(new Set(statuses)).toEqual(new Set([401]));
  });

  it('keeps a stream of changes open after its events', async () => {
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

  it('continues a stream of a run after the message that Last-Event-ID names', async () => {
    const eventsAfter = async (lastEventId?: string): Promise<string[]> => {
      const events: string[] = [];
      for await (const { event } of mock().runs.stream('1', { lastEventId })) events.push(event);
      return events;
    };

    expect(await eventsAfter()).toEqual(['run.started', 'message', 'run.completed']);
    expect(await eventsAfter('4')).toEqual(['run.started', 'run.completed']);
  });

  it('lets pages of other origins read what it answers', async () => {
    const response = await fetch(`${url}/api/tasks`, { headers: { Origin: 'http://localhost:5173' } });

    expect([response.status, response.headers.get('Access-Control-Allow-Origin')]).toEqual([401, '*']);
  });

  it.each([
    ['Accept', 'x'],
    ['Accept', 'text/event-stream'],
    ['Accept', 'application/json;q'],
    ['Accept', '*/*;q=0'],
    ['Prefer', 'code=100'],
    ['Prefer', '"'],
    ['Trailer', 'x'],
  ])('ignores a header without a meaning: %s: %s', async (name, value) => {
    const { response } = await mock({ [name]: value })
      .tasks.create({ title: 'x' })
      .withResponse();

    expect(response.status).toBe(201);
  });
});

function mock(headers: Record<string, string> = {}): Client {
  return createClient({ baseUrl: url, token: 'any', retriesMax: 0, headers });
}
