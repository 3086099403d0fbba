import { describe, expect, it } from 'vitest';
import { json, startFakeServer } from './fake-server.ts';
import { run, task } from './samples.ts';

describe('headers option', () => {
  it('an If-Match header is sent if ifMatch is omitted', async () => {
    const server = await startFakeServer(json(200, { task }));
    const { tasks } = server.client();
    const options = { headers: { 'If-Match': '"3"' } };

    await tasks.update('1', { status: 'done' }, options);
    await tasks.delete('1', { ...options, ifMatch: undefined });
    await tasks.assign('1', { assignee_id: null }, options);

    expect(server.requests.map(({ headers }) => headers['if-match'])).toEqual(['"3"', '"3"', '"3"']);
  });

  it('a Prefer header is sent if prefer is omitted', async () => {
    const server = await startFakeServer(json(200, run));

    await server.client().agents.run('1', { input: 'x' }, { headers: { Prefer: 'code=404' } });

    expect(server.requests[0]?.headers['prefer']).toBe('code=404');
  });

  it('an Idempotency-Key header is sent if idempotencyKey is omitted', async () => {
    const server = await startFakeServer(json(201, { task }));

    await server.client().tasks.create({ title: 'A' }, { headers: { 'idempotency-key': 'mine' } });

    expect(server.requests[0]?.headers['idempotency-key']).toBe('mine');
  });

  it('an option with the same meaning takes precedence over a header', async () => {
    const server = await startFakeServer(json(200, { task }));
    const headers = { 'if-match': '"3"', 'idempotency-key': 'mine' };
    const { tasks } = server.client();

    await tasks.update('1', { status: 'done' }, { headers, ifMatch: '"4"' });
    await tasks.create({ title: 'A' }, { headers, idempotencyKey: 'other' });

    expect(server.requests[0]?.headers['if-match']).toBe('"4"');
    expect(server.requests[1]?.headers['idempotency-key']).toBe('other');
  });
});
