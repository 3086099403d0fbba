import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createClient, type Client } from '../../sdk/src/index.ts';
import { allOperations, examplesOf, operationOf } from '../support/contract.ts';
import { requests, searchOf } from '../support/requests.ts';
import { startMock } from './mock-process.ts';

const url = await startMock();

/** The documented responses and the named examples of successes, with the `Prefer` header that selects each. */
const selected = allOperations.flatMap(({ operationId, responses }) =>
  Object.entries(responses)
    // The mock shows a chart only at an address that it has made.
    .filter(([status]) => operationId !== 'getLinkedChart' || status >= '400')
    .flatMap(([status, { content = {} }]) => {
      const [mediaType] = Object.keys(content);
      const [example] = Object.values(content).flatMap(examplesOf);
      const usual = { prefer: `code=${status}`, mediaType, example };
      return [usual, ...namedExamples(status, content)].map((each) => {
        return { operationId, status: Number(status), ...each };
      });
    }),
);

function namedExamples(status: string, content: Readonly<Record<string, Parameters<typeof examplesOf>[0]>>) {
  if (status >= '300') return [];
  return Object.entries(content).flatMap(([mediaType, { examples = {} }]) =>
    Object.entries(examples)
      .filter(([name]) => name !== 'default')
      .map(([name, { value }]) => {
        return {
          prefer: `${status === '202' ? 'code=202, ' : ''}example=${name}`,
          mediaType,
          example: value,
        };
      }),
  );
}

describe('the mock', () => {
  it.each(selected)(
    '$operationId responds with $status as $mediaType to Prefer: $prefer',
    async ({ operationId, status, mediaType, prefer, example }) => {
      const { method, path } = operationOf(operationId);
      const { body } = requests[operationId];
      const accept = status < 300 && mediaType !== undefined ? { Accept: mediaType } : {};
      const headers = { Authorization: 'Bearer any', 'Content-Type': 'application/json', Prefer: prefer };
      const response = await fetch(url + path.replace('{id}', '1') + searchOf(operationId), {
        method,
        headers: { ...headers, ...accept },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });

      const requestId = response.headers.get('X-Request-Id');
      expect(response.status).toBe(status);
      expect(response.headers.get('Content-Type')?.replace('; charset=utf-8', '')).toBe(mediaType);
      expect(requestId).toBeTruthy();
      const isPicture = /^render|Chart$/.test(operationId) && status === 200;
      if (example === undefined || isPicture) return;
      const text = await response.text();
      const expected = status < 400 ? example : { ...Object(example), request_id: requestId };
      expect(withoutPictures(typeof example === 'string' ? text : JSON.parse(text))).toEqual(
        withoutPictures(expected),
      );
    },
  );

  it('mock.md lists each named example, with what to send', () => {
    const page = readFileSync('sdk/mock.md', 'utf8');
    const listed = [...page.matchAll(/: `((?:code=2\d\d, )?example=\w+)` for (`[\w` ]+`)$/gm)].flatMap(
      ([, prefer = '', operations = '']) =>
        [...operations.matchAll(/\w+/g)].map(([operation]) => `${operation} ${prefer}`),
    );

    const named = selected.filter(({ prefer }) => prefer.includes('example='));
    expect(new Set(listed)).toEqual(
      new Set(named.map(({ operationId, prefer }) => `${operationId} ${prefer}`)),
    );
  });

  it('shows a chart at its address', async () => {
    const { url: address } = await mock().viz.link({ chart: { title: 'Mine', data: [] }, format: 'svg' });

    expect(address.startsWith(url)).toBe(true);
    expect(await (await fetch(address)).text()).toContain('Mine');
  });

  it('every operation that needs a token responds with 401 without one, which pages of other origins may read', async () => {
    const headers = { Origin: 'http://localhost:5173' };
    const needing = allOperations.filter(({ responses }) => '401' in responses);
    const responses = await Promise.all(
      needing.map(({ path, method }) => fetch(url + path.replace('{id}', '1'), { method, headers })),
    );

    const seen = responses.map(({ status, headers: sent }) => [
      status,
      sent.get('Access-Control-Allow-Origin'),
    ]);
    expect(seen).toEqual(needing.map(() => [401, '*']));
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

/** The mock draws the pictures that the contract has as single pixels. */
function withoutPictures(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll(/iVBORw0[\w+/=]+/g, 'a picture'));
}
