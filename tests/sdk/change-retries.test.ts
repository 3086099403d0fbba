import { describe, expect, it } from 'vitest';
import { NotFoundError, TimeoutError, type MatchingOptions } from '../../sdk/src/index.ts';
import { cut, hang, json, problem, startFakeServer, type Reaction } from './fake-server.ts';
import { task } from './samples.ts';

const answer = json(200, { task });
const soon = { 'Retry-After': '0' };
const ifMatch = '"3"';

/** What may come after the change has taken effect, so that a repetition could meet a later one or its own. */
const uncertain: readonly [string, Reaction][] = [
  ['ConnectionError', cut],
  ['ApiError', problem(502, 'Server Error', soon)],
  ['ApiError', problem(504, 'Server Error', soon)],
  ['OverloadedError', (response) => response.writeHead(503, soon).end('<h1>Bad upstream</h1>')],
];

describe.each<[string, MatchingOptions]>([
  ['without ifMatch', {}],
  ['under ifMatch', { ifMatch }],
  ['under an If-Match header', { headers: { 'if-match': ifMatch } }],
])('an update %s', (_what, options) => {
  it.each(uncertain)('is sent once where it may have taken effect: %s', async (name, reaction) => {
    const server = await startFakeServer(reaction, answer);

    const update = server.client().tasks.update('1', { status: 'done' }, options);

    await expect(update).rejects.toMatchObject({ name });
    expect(server.requests).toHaveLength(1);
  });

  it('is sent once where no answer comes in time', async () => {
    const server = await startFakeServer(hang, answer);

    const update = server.client().tasks.update('1', { status: 'done' }, { ...options, timeoutMs: 100 });

    await expect(update).rejects.toThrow(TimeoutError);
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    ['408', problem(408, 'Request timeout', soon)],
    ['429', problem(429, 'Rate Limited', soon)],
    ['503', problem(503, 'Overloaded', soon)],
  ])('is sent again where the server says that it has done nothing: %s', async (_status, refusal) => {
    const server = await startFakeServer(refusal, answer);

    await server.client().tasks.update('1', { status: 'done' }, options);

    expect(server.requests).toHaveLength(2);
  });
});

describe('an update whose answer is lost', () => {
  it('never undoes the change that somebody else has made since', async () => {
    let status: unknown = 'todo';
    const done: Reaction = (response, request) => {
      ({ status } = JSON.parse(request.body) as { status: unknown });
      answer(response, request);
    };
    const doneUnheard: Reaction = (response, request) => {
      cut(response, request);
      // It was done, and after it somebody else's change.
      status = 'blocked';
    };
    const server = await startFakeServer(doneUnheard, done);

    const [update] = await Promise.allSettled([server.client().tasks.update('1', { status: 'done' })]);

    expect(status).toBe('blocked');
    expect(update).toMatchObject({ reason: { name: 'ConnectionError' } });
  });
});

describe.each<[string, MatchingOptions]>([
  ['without ifMatch', {}],
  ['under ifMatch', { ifMatch }],
])('a deletion %s', (_what, options) => {
  it('whose answer is lost is sent again, as it can undo nothing, and may find its own effect', async () => {
    const server = await startFakeServer(cut, problem(404, 'Task not found'));

    await expect(server.client().tasks.delete('1', options)).rejects.toThrow(NotFoundError);

    expect(server.requests).toHaveLength(2);
  });
});
