import { describe, expect } from 'vitest';
import type { Schemas } from '../../../server/src/operation.ts';
import { createAgent, noLimits, runAgent } from '../../support/agents.ts';
import { errorResponse, modelEnv, startModelServer } from '../../support/model-server.ts';
import { allPages } from '../../support/pages.ts';
import { unknownId } from '../../support/requests.ts';
import { startTestServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';

const later = { Prefer: 'respond-async' };
const silent = (): void => undefined;

const model = await startModelServer();
const server = await startTestServer({ env: { ...noLimits, ...modelEnv(model) } });

function idsOf({ sessions }: Schemas['SessionList']): string[] {
  return sessions.map(({ id }) => id);
}

describe('listSessions', () => {
  spec(
    'listSessions',
    200,
    'has the sessions of the caller as getSession does, the latest activity first',
    async () => {
      const client = await server.as('lister');
      const own = await createAgent(client);
      for (const session_id of ['one', 'two', 'one'])
        await runAgent(client, own, 'create a task titled Listed', { context: { session_id } });

      const { body, headers } = await client.ok('listSessions');

      const one = (await client.ok('getSession', { id: 'one' })).body;
      const two = (await client.ok('getSession', { id: 'two' })).body;
      expect(body).toEqual({ sessions: [one, two] });
      expect(one).toMatchObject({ message_count: 8, run: { output: 'Created the task "Listed".' } });
      expect(headers.get('Link')).toBeNull();
    },
  );

  spec('listSessions', 200, 'filters by agent and by status', async () => {
    const client = await server.as('filterer');
    const [idle, other] = [await createAgent(client), await createAgent(client, { runtime: 'local' })];
    await runAgent(client, idle, 'list my tasks', { context: { session_id: 'idle' } });
    model.respondWith(errorResponse(400));
    await runAgent(client, other, 'Hi', { context: { session_id: 'failed' } });
    model.respondWith(silent);
    await runAgent(client, other, 'Hi', { context: { session_id: 'running' }, headers: later });
    const listed = async (query: string): Promise<string[]> =>
      idsOf((await client.ok('listSessions', { query })).body);

    expect(await listed('')).toEqual(['running', 'failed', 'idle']);
    expect(await listed(`agent_id=${other.id}`)).toEqual(['running', 'failed']);
    for (const status of ['running', 'failed', 'idle'])
      expect(await listed(`status=${status}`)).toEqual([status]);
    expect(await listed(`agent_id=${idle.id}&status=failed`)).toEqual([]);
    expect(await listed('agent_id=none')).toEqual([]);
    expect(await listed(`agent_id=${unknownId}`)).toEqual([]);
  });

  spec(
    'listSessions',
    200,
    'has the sessions that wait for a decision, also while later runs of theirs are queued',
    async () => {
      const client = await server.as('decider');
      const careful = await createAgent(client, { approvals: ['*'] });
      for (const session_id of ['alone', 'followed'])
        await runAgent(client, careful, 'list my tasks', { context: { session_id } });
      const context = { session_id: 'followed' };
      await runAgent(client, careful, 'list my tasks', { context, headers: later });
      const listed = async (status: string): Promise<string[]> =>
        idsOf((await client.ok('listSessions', { query: { status } })).body);

      expect(await listed('requires_action')).toEqual(['followed', 'alone']);
      expect(await listed('running')).toEqual([]);
      const { body } = await client.ok('getSession', { id: 'followed' });
      expect(body).toMatchObject({ status: 'requires_action', run: { status: 'queued' } });
    },
  );

  spec('listSessions', 400, 'rejects an unknown status and a cursor of another list', async () => {
    const client = await server.as('guesser');
    const { body } = await client.fails('listSessions', 400, { query: { status: 'done' } });
    expect(body.errors?.[0]?.pointer).toBe('/query/status');

    for (const query of ['cursor=x', 'offset=-1', 'user_id=bob'])
      await client.fails('listSessions', 400, { query });
  });

  spec('listSessions', 200, 'sessions have pages by cursor, while visited ones are deleted', async () => {
    const client = await server.as('collector');
    const agent = await createAgent(client);
    for (const session_id of ['one', 'two', 'three'])
      await runAgent(client, agent, 'list my tasks', { context: { session_id } });

    const pages = await allPages(client, 'listSessions', { query: { limit: 1 } }, async ({ sessions }) => {
      for (const { id } of sessions) await client.ok('deleteSession', { id });
    });

    expect(pages.map(({ sessions }) => sessions.map(({ id }) => id))).toEqual([['three'], ['two'], ['one']]);
  });
});
