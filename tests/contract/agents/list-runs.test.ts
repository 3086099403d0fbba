import { describe, expect } from 'vitest';
import type { Schemas } from '../../../server/src/operation.ts';
import { createAgent, noLimits, runAgent } from '../../support/agents.ts';
import { waitingRun } from '../../support/approvals.ts';
import {
  cutOffResponse,
  errorResponse,
  modelEnv,
  startModelServer,
  textResponse,
} from '../../support/model-server.ts';
import { allPages, nextQuery } from '../../support/pages.ts';
import { unknownId } from '../../support/requests.ts';
import { startTestServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';

const later = { Prefer: 'respond-async' };
const silent = (): void => undefined;

const model = await startModelServer();
const server = await startTestServer({ env: { ...noLimits, ...modelEnv(model) } });

function idsOf({ runs }: Schemas['RunList']): string[] {
  return runs.map(({ id }) => id);
}

describe('listRuns', () => {
  spec('listRuns', 200, 'has the runs of the caller as getRun does, newest first', async () => {
    const client = await server.as('lister');
    const own = await createAgent(client);
    const ids: string[] = [];
    for (const session_id of ['one', 'two', 'one'])
      ids.unshift((await runAgent(client, own, 'list my tasks', { context: { session_id } })).body.id);

    const { body, headers } = await client.ok('listRuns');

    const runs = await Promise.all(ids.map(async (id) => (await client.ok('getRun', { id })).body));
    expect(body).toEqual({ runs });
    expect(headers.get('Link')).toBeNull();
    expect((await (await server.as('stranger')).ok('listRuns')).body).toEqual({ runs: [] });
  });

  spec('listRuns', 200, 'filters by agent, by session and by status', async () => {
    const client = await server.as('filterer');
    const [builtin, local] = [await createAgent(client), await createAgent(client, { runtime: 'local' })];
    const start = async (agent: Schemas['Agent'], session_id: string, headers = {}): Promise<string> =>
      (await runAgent(client, agent, 'list my tasks', { context: { session_id }, headers })).body.id;
    const completed = await start(builtin, 'calm');
    model.respondWith(errorResponse(400));
    const failed = await start(local, 'busy');
    model.respondWith(cutOffResponse('Half', 'length'));
    const incomplete = await start(local, 'cut');
    model.respondWith(silent);
    const cancelled = await start(local, 'busy', later);
    await client.ok('cancelRun', { id: cancelled });
    const running = await start(local, 'busy', later);
    await expect.poll(async () => (await client.ok('getRun', { id: running })).body.status).toBe('running');
    const queued = await start(local, 'busy', later);
    const careful = await createAgent(client, { approvals: ['create_task'] });
    const waiting = await waitingRun(client, careful, 'A boat');
    const listed = async (query: string): Promise<string[]> =>
      idsOf((await client.ok('listRuns', { query })).body);

    const ids = { completed, incomplete, failed, cancelled, running, queued, requires_action: waiting.id };
    for (const [status, id] of Object.entries(ids)) expect(await listed(`status=${status}`)).toEqual([id]);
    expect(await listed(`agent_id=${local.id}`)).toEqual([queued, running, cancelled, incomplete, failed]);
    expect(await listed(`agent_id=${local.id.toUpperCase()}&status=failed`)).toEqual([failed]);
    expect(await listed('session_id=calm')).toEqual([completed]);
    expect(await listed('session_id=busy&status=queued')).toEqual([queued]);
    expect(await listed(`session_id=calm&agent_id=${local.id}`)).toEqual([]);
    expect(await listed('session_id=&agent_id=&limit=1')).toEqual([waiting.id]);
    for (const query of [
      'agent_id=none',
      `agent_id=${unknownId}`,
      'session_id=none',
      'session_id=%F0%9F%99%82',
    ])
      expect(await listed(query)).toEqual([]);
    const [inbox] = (await client.ok('listRuns', { query: 'status=requires_action' })).body.runs;
    expect(inbox?.required_action).toEqual(waiting.required_action);
  });

  spec('listRuns', 400, 'rejects an unknown status and a cursor of other filters', async () => {
    const client = await server.as('guesser');
    const agent = await createAgent(client);
    for (const session_id of ['one', 'two'])
      await runAgent(client, agent, 'list my tasks', { context: { session_id } });
    const next = nextQuery(await client.ok('listRuns', { query: 'limit=1' }));

    const { body } = await client.fails('listRuns', 400, { query: { status: 'done' } });
    expect(body.errors?.[0]?.pointer).toBe('/query/status');
    const refused = await client.fails('listRuns', 400, { query: `${next ?? ''}&session_id=one` });
    expect(refused.body.errors?.[0]?.pointer).toBe('/query/cursor');
    for (const query of [
      'cursor=x',
      'offset=-1',
      'limit=-1',
      'status=',
      'session_id=a&session_id=b',
      'user_id=bob',
    ])
      await client.fails('listRuns', 400, { query });
  });

  spec('listRuns', 200, 'has each run once while runs are added and visited ones are deleted', async () => {
    const client = await server.as('collector');
    const agent = await createAgent(client);
    const add = async (): Promise<string> => (await runAgent(client, agent, 'list my tasks')).body.id;
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.unshift(await add());

    const pages = await allPages(client, 'listRuns', { query: { limit: 2 } }, async ({ runs }) => {
      await Promise.all([add(), add()]);
      for (const { session_id: id } of runs) await client.ok('deleteSession', { id });
    });

    expect(pages.map(idsOf)).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
    expect((await client.ok('listRuns')).body.runs).toHaveLength(6);
  });

  spec('listRuns', 200, 'ends a page at 8 MiB, and Link continues from there', async () => {
    const client = await server.as('writer');
    const agent = await createAgent(client, { runtime: 'local' });
    model.respondWith(textResponse('x'.repeat(3 * 2 ** 20)));
    for (let n = 0; n < 4; n += 1) await runAgent(client, agent, 'Hi');

    const pages = await allPages(client, 'listRuns', { query: {} });

    expect(pages.map(({ runs }) => runs.length)).toEqual([3, 1]);
  });
});
