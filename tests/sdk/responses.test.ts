import { describe, expect, it } from 'vitest';
import { InvalidResponseError, type Client } from '../../sdk/src/index.ts';
import { collect, json, startFakeServer, sseStream, type Responder } from './fake-server.ts';

const chart = { data: [] };
const notModified: Responder = (response) => response.writeHead(304, { ETag: '"2"' }).end();

const invalidBodies: readonly [string, unknown, (client: Client) => Promise<unknown>][] = [
  ['no task', {}, ({ tasks }) => tasks.get('1')],
  ['null instead of a task', { task: null }, ({ tasks }) => tasks.update('1', { status: 'done' })],
  ['no task for getIfChanged', {}, ({ tasks }) => tasks.getIfChanged('1', '"2"')],
  ['null instead of an object', null, ({ tasks }) => tasks.get('1')],
  ['null instead of a session', null, ({ sessions }) => sessions.get('s')],
  ['text instead of a run', 'ok', ({ agents }) => agents.run('1', { input: 'x' })],
  ['no list', {}, ({ tasks }) => tasks.list().page()],
  ['an object instead of a list', {}, ({ tasks }) => tasks.listComments('1').toArray()],
  ['text instead of a list', { agents: 'none' }, ({ agents }) => agents.list().toArray()],
  ['no PNG', {}, ({ viz }) => viz.renderPng(chart)],
  ['no SVG markup', {}, ({ viz }) => viz.renderSvg(chart)],
];

describe('success responses', () => {
  it.each(invalidBodies)('a response with %s throws an InvalidResponseError', async (_what, body, call) => {
    const server = await startFakeServer(json(200, body));

    await expect(call(server.client())).rejects.toThrow(InvalidResponseError);

    expect(server.requests).toHaveLength(1);
  });

  it('a stream throws an InvalidResponseError if the response is not an event stream', async () => {
    const server = await startFakeServer(json(200, {}));

    const events = collect(server.client().runs.stream('1'));

    await expect(events).rejects.toThrow(InvalidResponseError);
    expect(server.requests).toHaveLength(1);
  });

  it('a stream throws a StreamInterruptedError if the data of an event is null', async () => {
    const server = await startFakeServer(sseStream(['event: message\ndata: null\n\n']));

    const events = collect(server.client().runs.stream('1'));

    await expect(events).rejects.toMatchObject({
      name: 'StreamInterruptedError',
      runId: '1',
      cause: { name: 'InvalidResponseError' },
    });
  });
});

describe('304 responses', () => {
  it('getIfChanged resolves to undefined', async () => {
    const server = await startFakeServer(notModified);

    const { data, response } = await server.client().tasks.getIfChanged('1', '"2"').withResponse();

    expect(data).toBeUndefined();
    expect(response.headers.get('ETag')).toBe('"2"');
    expect(server.requests[0]?.headers['if-none-match']).toBe('"2"');
  });

  it('get throws an ApiError, because its result cannot be undefined', async () => {
    const server = await startFakeServer(notModified);

    const failure = server.client().tasks.get('1', { headers: { 'If-None-Match': '"2"' } });

    await expect(failure).rejects.toMatchObject({ name: 'ApiError', status: 304 });
  });
});
