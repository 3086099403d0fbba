import { describe, expect } from 'vitest';
import type { Schemas } from '../../../server/src/contract/operation.ts';
import { createAgent, runAgent, startRun } from '../../support/agents.ts';
import { waitingRun } from '../../support/approvals.ts';
import type { Client } from '../../support/client.ts';
import { cutOffResponse, errorResponse } from '../../support/model-server.ts';
import { allPages, nextQuery } from '../../support/pages.ts';
import { unknownId } from '../../support/requests.ts';
import { spec } from '../../support/spec.ts';
import { startWithModel } from '../../support/with-model.ts';

const silent = (): void => undefined;

const { model, server } = await startWithModel();

async function runsIn(client: Client, agent: Schemas['Agent'], ...sessions: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const session_id of sessions)
    ids.push((await runAgent(client, agent, 'list my tasks', { context: { session_id } })).body.id);
  return ids;
}

type List = 'listRuns' | 'listSessions';

function entriesOf(body: Schemas['RunList'] | Schemas['SessionList']) {
  return 'runs' in body ? body.runs : body.sessions;
}

/** Returns a function that lists ids for the client. */
function lister(client: Client, operation: List) {
  return async (query: string): Promise<string[]> =>
    entriesOf((await client.ok(operation, { query })).body).map(({ id }) => id);
}

describe.each<List>(['listRuns', 'listSessions'])('%s', (operation) => {
  spec(operation, 400, 'rejects an unknown status and a cursor of other filters', async () => {
    const client = await server.as(`guesser of ${operation}`);
    const agent = await createAgent(client);
    await runsIn(client, agent, 'one', 'two');
    const next = nextQuery(await client.ok(operation, { query: 'limit=1' })) ?? '';

    for (const [query, pointer] of [
      ['status=done', '/query/status'],
      [`${next}&agent_id=${agent.id}`, '/query/cursor'],
    ] as const) {
      const { body } = await client.fails(operation, 400, { query });
      expect(body.errors?.map((error) => error.pointer)).toEqual([pointer]);
    }
  });

  spec(operation, 200, 'has each entry once while some are added and visited ones are deleted', async () => {
    const client = await server.as(`collector of ${operation}`);
    const agent = await createAgent(client);
    const sessions = ['a', 'b', 'c', 'd', 'e'];
    const runs = await runsIn(client, agent, ...sessions);

    const pages = await allPages(client, operation, { query: { limit: 2 } }, async (body) => {
      await Promise.all([1, 2].map(() => runAgent(client, agent, 'list my tasks')));
      for (const each of entriesOf(body))
        await client.ok('deleteSession', { id: 'session_id' in each ? each.session_id : each.id });
    });

    const ids = (operation === 'listRuns' ? runs : sessions).toReversed();
    const listed = pages.map((body) => entriesOf(body).map(({ id }) => id));
    expect(listed).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
    expect(await lister(client, operation)('')).toHaveLength(6);
  });
});

spec('listRuns', 200, 'has the runs of the caller as getRun does, newest first', async () => {
  const client = await server.as('lister');
  const ids = await runsIn(client, await createAgent(client), 'one', 'two', 'one');

  const { body, headers } = await client.ok('listRuns');

  const runs = await Promise.all(ids.map(async (id) => (await client.ok('getRun', { id })).body));
  expect(body).toEqual({ runs: runs.toReversed() });
  expect(headers.get('Link')).toBeNull();
  expect((await (await server.as('stranger')).ok('listRuns')).body).toEqual({ runs: [] });
});

spec('listRuns', 200, 'filters by agent, by session and by status', async () => {
  const client = await server.as('filterer');
  const [builtin, local] = [await createAgent(client), await createAgent(client, { runtime: 'local' })];
  const [completed = ''] = await runsIn(client, builtin, 'calm');
  model.respondWith(errorResponse(400));
  const [failed = ''] = await runsIn(client, local, 'busy');
  model.respondWith(cutOffResponse('Half', 'length'));
  const [incomplete = ''] = await runsIn(client, local, 'cut');
  model.respondWith(silent);
  const { id: cancelled } = await startRun(client, local, 'Hi', 'busy');
  await client.ok('cancelRun', { id: cancelled });
  const { id: running } = await startRun(client, local, 'Hi', 'busy');
  await expect.poll(async () => (await client.ok('getRun', { id: running })).body.status).toBe('running');
  const { id: queued } = await startRun(client, local, 'Hi', 'busy');
  const waiting = await waitingRun(client, await createAgent(client, { approvals: ['*'] }), 'A boat');
  const listed = lister(client, 'listRuns');

  const ids = { completed, incomplete, failed, cancelled, running, queued, requires_action: waiting.id };
  for (const [status, id] of Object.entries(ids)) expect(await listed(`status=${status}`)).toEqual([id]);
  expect(await listed(`agent_id=${local.id}`)).toEqual([queued, running, cancelled, incomplete, failed]);
  expect(await listed(`agent_id=${local.id.toUpperCase()}&status=failed`)).toEqual([failed]);
  expect(await listed('session_id=calm')).toEqual([completed]);
  expect(await listed('session_id=busy&status=queued')).toEqual([queued]);
  expect(await listed('session_id=&agent_id=&limit=1')).toEqual([waiting.id]);
  for (const query of [
    ...[`session_id=calm&agent_id=${local.id}`, 'agent_id=none', `agent_id=${unknownId}`],
    ...['session_id=none', 'session_id=%F0%9F%99%82'],
  ])
    expect(await listed(query)).toEqual([]);
  const [inbox] = (await client.ok('listRuns', { query: 'status=requires_action' })).body.runs;
  expect(inbox?.required_action).toEqual(waiting.required_action);
});

spec('listSessions', 200, 'has sessions as getSession does, the latest activity first', async () => {
  const client = await server.as('lister of sessions');
  await runsIn(client, await createAgent(client), 'one', 'two', 'one');

  const { body, headers } = await client.ok('listSessions');

  const one = (await client.ok('getSession', { id: 'one' })).body;
  const two = (await client.ok('getSession', { id: 'two' })).body;
  expect(body).toEqual({ sessions: [one, two] });
  expect(one).toMatchObject({ message_count: 8, run: { output: 'You have no tasks.' } });
  expect(headers.get('Link')).toBeNull();
});

spec('listSessions', 200, 'filters by agent and by status', async () => {
  const client = await server.as('filterer of sessions');
  const [idle, other] = [await createAgent(client), await createAgent(client, { runtime: 'local' })];
  await runsIn(client, idle, 'idle');
  model.respondWith(errorResponse(400));
  await runsIn(client, other, 'failed');
  model.respondWith(silent);
  await startRun(client, other, 'Hi', 'running');
  const listed = lister(client, 'listSessions');

  expect(await listed('')).toEqual(['running', 'failed', 'idle']);
  expect(await listed(`agent_id=${other.id}`)).toEqual(['running', 'failed']);
  for (const status of ['running', 'failed', 'idle'])
    expect(await listed(`status=${status}`)).toEqual([status]);
  for (const query of [`agent_id=${idle.id}&status=failed`, 'agent_id=none', `agent_id=${unknownId}`])
    expect(await listed(query)).toEqual([]);
});

spec('listSessions', 200, 'has sessions that wait for a decision, even with later runs queued', async () => {
  const client = await server.as('decider');
  const careful = await createAgent(client, { approvals: ['*'] });
  await runsIn(client, careful, 'alone', 'followed');
  await startRun(client, careful, 'list my tasks', 'followed');
  const listed = lister(client, 'listSessions');

  expect(await listed('status=requires_action')).toEqual(['followed', 'alone']);
  expect(await listed('status=running')).toEqual([]);
  const { body } = await client.ok('getSession', { id: 'followed' });
  expect(body).toMatchObject({ status: 'requires_action', run: { status: 'queued' } });
});
