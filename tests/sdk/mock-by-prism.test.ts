import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../support/folder.ts';
import { createClient, NotFoundError, type Client } from '../../sdk/src/index.ts';
import { node } from './built-sdk.ts';
import { startPrism } from './mock-process.ts';

const folder = await createFolder();
await node('.', 'scripts/pack-contract.ts', folder);
const baseUrl = await startPrism(join(folder, 'mock.json'));

describe('the mock.json of the package, served by Prism', () => {
  it('shows the states and errors that Prefer selects', async () => {
    expect(await client('example=empty').tasks.list().toArray()).toEqual([]);
    expect((await client('example=failed').runs.get('1')).error?.code).toBe('runtime_error');
    expect((await client('code=202, example=requires_action').agents.run('1', { input: 'x' })).status).toBe(
      'requires_action',
    );
    await expect(client('code=404').tasks.get('1')).rejects.toThrow(NotFoundError);
    await expect(client('code=422').tasks.create({ title: 'x' })).rejects.toMatchObject({
      code: 'Idempotency key reused',
    });
  });

  it('has only the headers that each response has', async () => {
    const { data, response } = await client().tasks.update('1', { status: 'done' }).withResponse();

    expect(response.headers.get('ETag')).toBe(data.etag);
    expect(response.headers.get('Idempotency-Replayed')).toBeNull();
  });

  it('streams the events of a run to their end', async () => {
    const events: string[] = [];
    for await (const { event } of client('example=requires_action').runs.stream('1')) events.push(event);

    expect(events).toEqual(['run.started', 'run.requires_action']);
  });

  it('has a chart as JSON', async () => {
    const response = await fetch(`${baseUrl}/api/v1/viz/render/svg`, {
      method: 'POST',
      headers: { Authorization: 'Bearer any', 'Content-Type': 'application/json' },
      body: '{"data":[]}',
    });

    expect(await response.json()).toMatchObject({
      svg: expect.stringContaining('Tasks by status') as string,
    });
  });
});

function client(prefer?: string): Client {
  const headers = prefer === undefined ? {} : { Prefer: prefer };
  return createClient({ baseUrl, token: 'any', retriesMax: 0, headers });
}
