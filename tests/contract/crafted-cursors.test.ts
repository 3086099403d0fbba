import { describe, expect } from 'vitest';
import { encodeCursor } from '../../server/src/cursor.ts';
import { createAgent, runAgent } from '../support/agents.ts';
import type { Input } from '../support/client.ts';
import { unknownId } from '../support/requests.ts';
import { sharedServer } from '../support/server.ts';
import { spec } from '../support/spec.ts';
import { createTask } from '../support/tasks.ts';

const server = sharedServer();

describe('a crafted cursor', () => {
  const [integerMax, aboveInteger] = ['2147483647', '2147483648'];
  const [numberMax, aboveBigint] = ['999999999999999999', '9223372036854775808'];

  spec(
    'listMessages',
    400,
    'of messages is refused if its number is not an integer of Postgres',
    async () => {
      const client = await server.as('crafter');
      await runAgent(client, await createAgent(client), 'list my tasks', { context: { session_id: 'c' } });
      const scope = { path: '/v1/sessions/c/messages', userId: server.userId('crafter'), filters: {} };
      const pageAfter = (seq: string): Input => ({ id: 'c', query: { cursor: encodeCursor([seq], scope) } });

      const { body } = await client.ok('listMessages', pageAfter(integerMax));
      const refused = await client.fails('listMessages', 400, pageAfter(numberMax));

      expect(body.messages).toEqual([]);
      expect(refused.body.errors?.[0]?.pointer).toBe('/query/cursor');
      await client.fails('listMessages', 400, pageAfter(aboveInteger));
      await client.fails('listMessages', 400, pageAfter(aboveBigint));
    },
  );

  spec(
    'listAuditLogs',
    400,
    'of an audit log is refused if its number is not a bigint of Postgres',
    async () => {
      const client = await server.as('crafter');
      const { id } = await createTask(client);
      const scope = { path: `/api/tasks/${id}/audit-logs`, userId: server.userId('crafter'), filters: {} };
      const pageAfter = (seq: string): Input => ({ id, query: { cursor: encodeCursor([seq], scope) } });

      const { body } = await client.ok('listAuditLogs', pageAfter(numberMax));

      expect(body).toEqual([]);
      await client.fails('listAuditLogs', 400, pageAfter(aboveBigint));
    },
  );

  spec(
    'listChanges',
    400,
    'of changes is refused if a number is not a bigint of Postgres, or the id is no UUID',
    async () => {
      const client = await server.as('crafter');
      const scope = {
        path: '/api/changes',
        userId: server.userId('crafter'),
        filters: { workspace_id: '' },
      };
      const pageAfter = (at: string, seq: string, id = unknownId): Input => ({
        query: { after: encodeCursor([at, seq, id], scope) },
      });

      const { body } = await client.ok('listChanges', pageAfter(numberMax, numberMax));

      expect(body.changes).toEqual([]);
      await client.fails('listChanges', 400, pageAfter(aboveBigint, '0'));
      await client.fails('listChanges', 400, pageAfter('0', aboveBigint));
      await client.fails('listChanges', 400, pageAfter('0', '0', 'x'));
    },
  );
});
