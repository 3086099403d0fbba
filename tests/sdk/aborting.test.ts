import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { AbortError, createClient, type Client, type RequestOptions } from '../../sdk/src/index.ts';
import {
  collect,
  fetchIgnoringSignals,
  hang,
  json,
  problem,
  startFakeServer,
  sseStream,
  type Responder,
} from './fake-server.ts';
import { accepted, messageEvent, started, task } from './samples.ts';

const input = { input: 'x' };
const mine = { idempotencyKey: 'mine' };
const create = ({ tasks }: Client, options: RequestOptions): Promise<unknown> =>
  tasks.create({ title: 'A' }, { ...mine, ...options });
const stream = ({ agents }: Client, options: RequestOptions): Promise<unknown> =>
  collect(agents.stream('1', input, { ...mine, ...options }));

describe('an aborted call', () => {
  it.each<[string, Responder[], typeof create, number]>([
    ['while a request is pending', [hang], create, 1],
    ['during the delay before a retry', [problem(503, 'Overloaded', { 'Retry-After': '60' })], create, 1],
    ['before the first event of a stream', [accepted, sseStream([': hello\n\n'], 'hang')], stream, 2],
    ['after the first event of a stream', [accepted, sseStream([started], 'hang')], stream, 2],
  ])(
    'rejects with an AbortError that has its key, even if fetch ignores the signal: %s',
    async (_when, responders, call, sent) => {
      for (const options of [{}, { fetch: fetchIgnoringSignals }]) {
        const server = await startFakeServer(...responders);
        const controller = new AbortController();

        const failure = expect(
          call(server.client(options), { signal: controller.signal }),
        ).rejects.toMatchObject({ name: 'AbortError', ...mine });
        await expect.poll(() => server.requests).toHaveLength(sent);
        // Wait until the response to the last request has arrived.
        await pause(100);
        controller.abort();

        await failure;
        expect(server.requests).toHaveLength(sent);
      }
    },
  );

  it('calls neither the token function nor fetch if its signal was aborted before', async () => {
    const token = vi.fn(() => 't');
    const fetch = vi.fn(() => Promise.resolve(new Response('{}')));
    const client = createClient({ baseUrl: 'http://localhost', token, fetch });

    await expect(client.tasks.get('1', { signal: AbortSignal.abort('no') })).rejects.toMatchObject({
      cause: 'no',
    });

    expect(token).not.toHaveBeenCalled();
    expect(fetch).not.toHaveBeenCalled();
  });

  it('ends a list between two pages', async () => {
    const server = await startFakeServer(json(200, { tasks: [task], count: 3 }), hang);
    const controller = new AbortController();

    const iteration = (async () => {
      const list = server.client().tasks.list({ limit: 1 }, { signal: controller.signal });
      for await (const { id } of list) controller.abort(id);
    })();

    await expect(iteration).rejects.toThrow(AbortError);
  });

  it.each<[string, string, Responder[]]>([
    ['an event of the same chunk', 'run.started', [sseStream([started + messageEvent(1)], 'hang')]],
    [
      'a message of a resumed stream',
      'message',
      [sseStream([started], 'disconnect'), sseStream([started, messageEvent(1) + messageEvent(2)], 'hang')],
    ],
  ])('yields no further event, not even %s', async (_what, last, responders) => {
    const server = await startFakeServer(accepted, ...responders);
    const controller = new AbortController();
    const names: string[] = [];

    const reading = (async () => {
      for await (const { event } of server
        .client()
        .agents.stream('1', input, { signal: controller.signal })) {
        names.push(event);
        if (event === last) controller.abort();
      }
    })();

    await expect(reading).rejects.toThrow(AbortError);
    expect(names).toEqual([...new Set(['run.started', last])]);
  });
});
