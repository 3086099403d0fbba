import { describe, expect, it } from 'vitest';
import { TimeoutError } from '../../sdk/src/index.ts';
import { cut, hang, json, problem, startFakeServer, type Reaction } from './fake-server.ts';
import { task } from './samples.ts';

const answer = json(200, { task });
const soon = { 'Retry-After': '0' };
const ifMatch = '"3"';

/** What may have taken effect, so that a repetition would be refused for the change of the first attempt. */
const uncertain: readonly [string, Reaction][] = [
  ['ConnectionError', cut],
  ['ApiError', problem(502, 'Server Error', soon)],
  ['ApiError', problem(504, 'Server Error', soon)],
  ['OverloadedError', (response) => response.writeHead(503, soon).end('<h1>Bad upstream</h1>')],
];

describe('a change under ifMatch', () => {
  it.each(uncertain)('is sent once where it may have taken effect: %s', async (name, reaction) => {
    const server = await startFakeServer(reaction, problem(412, 'Precondition failed'));
    const { tasks } = server.client();

    const change = tasks.update('1', { status: 'done' }, { ifMatch });

    await expect(change).rejects.toMatchObject({ name });
    expect(server.requests).toHaveLength(1);
  });

  it('is sent once where no answer comes in time', async () => {
    const server = await startFakeServer(hang);

    const change = server.client().tasks.update('1', { status: 'done' }, { ifMatch, timeoutMs: 100 });

    await expect(change).rejects.toThrow(TimeoutError);
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    ['408', problem(408, 'Request timeout', soon)],
    ['429', problem(429, 'Rate Limited', soon)],
    ['503', problem(503, 'Overloaded', soon)],
  ])('is sent again where the server says that it has done nothing: %s', async (_status, refusal) => {
    const server = await startFakeServer(refusal, answer);

    await server.client().tasks.update('1', { status: 'done' }, { ifMatch });

    expect(server.requests).toHaveLength(2);
  });

  it('is the same by a header and for a deletion', async () => {
    const server = await startFakeServer(cut);
    const { tasks } = server.client();

    const update = tasks.update('1', { status: 'done' }, { headers: { 'if-match': ifMatch } });
    await expect(update).rejects.toMatchObject({ name: 'ConnectionError' });
    await expect(tasks.delete('1', { ifMatch })).rejects.toMatchObject({ name: 'ConnectionError' });

    expect(server.requests).toHaveLength(2);
  });

  it('that is not bound to a version is repeated all the same', async () => {
    const server = await startFakeServer(cut, answer);

    await server.client().tasks.update('1', { status: 'done' });

    expect(server.requests).toHaveLength(2);
  });
});
