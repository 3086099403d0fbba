import { describe, expect, it } from 'vitest';
import { InvalidResponseError, type Client } from '../../sdk/src/index.ts';
import { collect, json, startFakeServer, stream, type Reaction } from './fake-server.ts';

const chart = { data: [] };
const notModified: Reaction = (response) => response.writeHead(304, { ETag: '"2"' }).end();

const misread: readonly [string, unknown, (client: Client) => Promise<unknown>][] = [
  ['a task that is missing', {}, ({ tasks }) => tasks.get('1')],
  ['a task that is null', { task: null }, ({ tasks }) => tasks.update('1', { status: 'done' })],
  ['a task that has to be new', {}, ({ tasks }) => tasks.getIfChanged('1', '"2"')],
  ['null', null, ({ tasks }) => tasks.get('1')],
  ['null where the whole body is read', null, ({ sessions }) => sessions.get('s')],
  ['text where the whole body is read', 'ok', ({ agents }) => agents.run('1', { input: 'x' })],
  ['a page without its list', {}, ({ tasks }) => tasks.list().page()],
  ['a list that is an object', {}, ({ tasks }) => tasks.listComments('1').toArray()],
  ['a list that is text', { agents: 'none' }, ({ agents }) => agents.list().toArray()],
  ['a picture that is missing', {}, ({ viz }) => viz.renderPng(chart)],
  ['markup that is missing', {}, ({ viz }) => viz.renderSvg(chart)],
];

describe('an answer with a status of success', () => {
  it.each(misread)('is an InvalidResponseError when it has %s', async (_what, body, call) => {
    const server = await startFakeServer(json(200, body));

    await expect(call(server.client())).rejects.toThrow(InvalidResponseError);

    expect(server.requests).toHaveLength(1);
  });

  it('is an InvalidResponseError when it is no stream of events, though one was asked for', async () => {
    const server = await startFakeServer(json(200, {}));

    const events = collect(server.client().agents.stream('1', { input: 'x' }));

    await expect(events).rejects.toThrow(InvalidResponseError);
    expect(server.requests).toHaveLength(1);
  });

  it('is an InvalidResponseError when the data of an event is null', async () => {
    const server = await startFakeServer(stream(['event: message\ndata: null\n\n']));

    const events = collect(server.client().agents.stream('1', { input: 'x' }));

    await expect(events).rejects.toThrow(InvalidResponseError);
  });
});

describe('an answer that nothing has changed', () => {
  it('is undefined for getIfChanged', async () => {
    const server = await startFakeServer(notModified);

    const { data, response } = await server.client().tasks.getIfChanged('1', '"2"').withResponse();

    expect(data).toBeUndefined();
    expect(response.headers.get('ETag')).toBe('"2"');
    expect(server.requests[0]?.headers['if-none-match']).toBe('"2"');
  });

  it('is an error of a method that cannot express it', async () => {
    const server = await startFakeServer(notModified);

    const failure = server.client().tasks.get('1', { headers: { 'If-None-Match': '"2"' } });

    await expect(failure).rejects.toMatchObject({ name: 'ApiError', status: 304 });
  });
});
