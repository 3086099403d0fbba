import { describe, expect } from 'vitest';
import { encodeCursor } from '../../../server/src/lib/cursor.ts';
import { createAgent, runAgent } from '../../support/agents.ts';
import type { Input } from '../../support/client.ts';
import { unknownId } from '../../support/requests.ts';
import { sharedServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';
import { createTask } from '../../support/tasks.ts';

const server = sharedServer();
const userId = server.userId('crafter');
const crafter = await server.as('crafter');
const [numberMax, aboveBigint] = ['999999999999999999', '9223372036854775808'];

describe('a crafted cursor', () => {
  spec('listTasks', 400, 'is refused if its time is not one of Postgres, or the id is no UUID', async () => {
    const scope = { path: '/api/tasks', userId, filters: { sort: '-created_at' } };
    const pageAfter = (...position: string[]): Input => ({
      query: { cursor: encodeCursor(position, scope) },
    });
    const at = '2026-11-21T09:30:00.000Z';

    expect((await crafter.ok('listTasks', pageAfter(at, unknownId))).body.tasks).toEqual([]);
    for (const position of [['soon', unknownId], ['0000-01-01T00:00:00.000Z', unknownId], [at, 'x'], [at]])
      await crafter.fails('listTasks', 400, pageAfter(...position));
  });

  spec('listMessages', 400, 'is refused if the number of a message is not an integer', async () => {
    await runAgent(crafter, await createAgent(crafter), 'list my tasks', { context: { session_id: 'c' } });
    const scope = { path: '/v1/sessions/c/messages', userId, filters: { sort: 'created_at' } };
    const pageAfter = (seq: string): Input => ({ id: 'c', query: { cursor: encodeCursor([seq], scope) } });

    expect((await crafter.ok('listMessages', pageAfter('2147483647'))).body.messages).toEqual([]);
    for (const seq of ['2147483648', numberMax, aboveBigint]) {
      const { body } = await crafter.fails('listMessages', 400, pageAfter(seq));
      expect(body.errors?.[0]?.pointer).toBe('/query/cursor');
    }
  });

  spec('listAuditLogs', 400, 'is refused if the number of an entry is not a bigint of Postgres', async () => {
    const { id } = await createTask(crafter);
    const scope = { path: `/api/tasks/${id}/audit-logs`, userId, filters: {} };
    const pageAfter = (seq: string): Input => ({ id, query: { cursor: encodeCursor([seq], scope) } });

    expect((await crafter.ok('listAuditLogs', pageAfter(numberMax))).body).toEqual([]);
    await crafter.fails('listAuditLogs', 400, pageAfter(aboveBigint));
  });

  spec('listChanges', 400, 'is refused if a number is not a bigint, or the id is no UUID', async () => {
    const scope = { path: '/api/changes', userId, filters: { workspace_id: '' } };
    const pageAfter = (at: string, seq: string, id = unknownId): Input => ({
      query: { after: encodeCursor([at, seq, id], scope) },
    });

    expect((await crafter.ok('listChanges', pageAfter(numberMax, numberMax))).body.changes).toEqual([]);
    await crafter.fails('listChanges', 400, pageAfter(aboveBigint, '0'));
    await crafter.fails('listChanges', 400, pageAfter('0', aboveBigint));
    await crafter.fails('listChanges', 400, pageAfter('0', '0', 'x'));
  });
});
