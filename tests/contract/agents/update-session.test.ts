import { describe, expect } from 'vitest';
import type { Schemas } from '../../../server/src/operation.ts';
import { createAgent, runAgent } from '../../support/agents.ts';
import { unknownId } from '../../support/requests.ts';
import { sharedServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';

const server = sharedServer();

const alice = await server.as('alice');
const agent = await createAgent(alice);

async function createSession(id: string): Promise<Schemas['Session']> {
  await runAgent(alice, agent, 'list my tasks', { context: { session_id: id } });
  return (await alice.ok('getSession', { id })).body;
}

describe('updateSession', () => {
  spec('updateSession', 200, 'changes the given fields and keeps the others', async () => {
    const session = await createSession('merged');
    expect(session).toMatchObject({ title: null, metadata: null });

    const { body: titled } = await alice.ok('updateSession', {
      id: 'merged',
      body: { title: ' Groceries ' },
    });
    const { body: both } = await alice.ok('updateSession', {
      id: 'merged',
      body: { metadata: '{"pinned":true}', status: 'failed', user_id: 'mallory' },
    });

    expect(titled).toEqual({ ...session, title: 'Groceries' });
    expect(both).toEqual({ ...titled, metadata: '{"pinned":true}' });
    expect((await alice.ok('getSession', { id: 'merged' })).body).toEqual(both);
  });

  spec('updateSession', 200, 'takes a fetched session as it is', async () => {
    await createSession('same');
    const { body: session } = await alice.ok('updateSession', { id: 'same', body: { title: 'Same' } });

    expect((await alice.ok('updateSession', { id: 'same', body: session })).body).toEqual(session);
  });

  spec('updateSession', 200, 'clears a field that is null or empty', async () => {
    await createSession('cleared');
    for (const empty of [null, '']) {
      await alice.ok('updateSession', { id: 'cleared', body: { title: 'T', metadata: 'M' } });

      const { body } = await alice.ok('updateSession', {
        id: 'cleared',
        body: { title: empty, metadata: empty },
      });

      expect(body).toMatchObject({ title: null, metadata: null });
    }
  });

  spec(
    'updateSession',
    200,
    'keeps the order of the list, which is that of the latest messages',
    async () => {
      for (const id of ['older', 'newer']) await createSession(id);

      await alice.ok('updateSession', { id: 'older', body: { title: 'Renamed' } });

      const { body } = await alice.ok('listSessions', { query: { limit: 2 } });
      expect(body.sessions.map(({ id, title }) => [id, title])).toEqual([
        ['newer', null],
        ['older', 'Renamed'],
      ]);
    },
  );

  spec('updateSession', 200, 'has room for 200 characters of a title and 65,536 of metadata', async () => {
    await createSession('long');
    const longest = { title: '長'.repeat(200), metadata: '長'.repeat(65_536) };

    expect((await alice.ok('updateSession', { id: 'long', body: longest })).body).toMatchObject(longest);
    const body = { title: 'x'.repeat(201), metadata: 'x'.repeat(65_537) };
    const { body: problem } = await alice.fails('updateSession', 400, { id: 'long', body });
    expect(problem.errors?.map(({ pointer }) => pointer)).toEqual(['/title', '/metadata']);
  });

  spec('updateSession', 400, 'refuses a body without a usable field', async () => {
    await createSession('empty');
    for (const body of [{}, { status: 'idle' }])
      expect((await alice.fails('updateSession', 400, { id: 'empty', body })).body.code).toBe(
        'No fields to update',
      );
  });

  spec('updateSession', 404, 'does not find a session of another user, nor any other id', async () => {
    const session = await createSession('private');
    const mallory = await server.as('mallory');

    for (const id of ['private', unknownId, '%00'])
      for (const body of [{ title: 'Stolen' }, {}])
        expect((await mallory.fails('updateSession', 404, { id, body })).body.code).toBe('Session not found');

    expect((await alice.ok('getSession', { id: 'private' })).body).toEqual(session);
  });

  spec('updateSession', 413, 'rejects a body above 1 MiB', async () => {
    await alice.fails('updateSession', 413, { id: unknownId, body: { metadata: 'x'.repeat(1024 * 1024) } });
  });

  spec('updateSession', 415, 'rejects a body that is not JSON', async () => {
    const headers = { 'Content-Type': 'text/plain' };
    await alice.fails('updateSession', 415, { id: unknownId, body: 'x', headers });
  });
});
