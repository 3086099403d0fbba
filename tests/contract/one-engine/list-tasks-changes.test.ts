import { beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../../server/src/config/config.ts';
import document from '../../../server/src/generated/openapi.json' with { type: 'json' };
import type { Schemas } from '../../../server/src/contract/operation.ts';
import type { Client } from '../../support/client.ts';
import { whileLocked } from '../../support/locks.ts';
import { engine, startTestServer, type TestServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';
import { createTask } from '../../support/tasks.ts';

type Task = Schemas['Task'];

/** By how many seconds the contract makes a list begin before the newest `updated_at`. */
const [, overlapS] =
  /(\d+)\sseconds before the newest/.exec(
    document.paths['/api/tasks'].get.parameters.find(({ name }) => name === 'updated_since')?.description ??
      '',
  ) ?? [];
const overlapMs = Number(overlapS) * 1000;

async function newestFirst(client: Client, since: string): Promise<Task[]> {
  const query = { updated_since: since, sort: '-updated_at' };
  return (await client.ok('listTasks', { query })).body.tasks;
}

function newestOf([newest]: readonly Task[]): string {
  return newest?.updated_at ?? '';
}

/** The tasks in the later list that the earlier list lacks, or has in another state. */
function unseen(later: readonly Task[], earlier: readonly Task[]): string[] {
  const seen = new Set(earlier.map(({ id, updated_at: at }) => `${id} ${at}`));
  return later.filter(({ id, updated_at: at }) => !seen.has(`${id} ${at}`)).map(({ id }) => id);
}

it('the overlap that the contract advises is longer than a statement may take by default', () => {
  const { database } = readConfig({});

  expect(overlapMs).toBeGreaterThan(database.statementTimeoutMs);
});

/** Writes whose task ends up in the workspace `busy`. */
const writes: readonly [string, (client: Client, task: Task) => Promise<Task>][] = [
  [
    'createTask',
    async (client) => {
      const body = { title: 'Held up', workspace_id: 'busy' };
      const headers = { 'Idempotency-Key': 'held up' };
      return (await client.ok('createTask', { body, headers })).body.task;
    },
  ],
  [
    'updateTask',
    async (client, { id }) =>
      (await client.ok('updateTask', { id, body: { workspace_id: 'busy' } })).body.task,
  ],
];

describe.runIf(engine === 'postgres').each(writes)(
  'an %s that waits for another write of its workspace',
  (operation, write) => {
    let server: TestServer;

    beforeAll(async () => {
      server = await startTestServer();
    });

    spec('listTasks', 200, 'misses it from the newest updated_at on, but not with the overlap', async () => {
      const poller = await server.as(operation);
      const task = await createTask(poller, { workspace_id: 'quiet' });

      const other = `insert into task_counts
          select '${operation}', 'busy', 'todo', bucket, 1 from generate_series(0, 3) bucket`;
      const { seen, heldUp } = await whileLocked(server, other, async (transaction) => {
        const waiting = write(poller, task);
        await transaction.waitUntilSomeoneWaits();
        await createTask(poller, { workspace_id: 'quiet' });
        const list = await newestFirst(poller, task.updated_at);
        await transaction.query('rollback');
        return { seen: list, heldUp: await waiting };
      });
      const overlapping = new Date(Date.parse(newestOf(seen)) - overlapMs).toISOString();

      expect(unseen(await newestFirst(poller, newestOf(seen)), seen)).toEqual([]);
      expect(unseen(await newestFirst(poller, overlapping), seen)).toEqual([heldUp.id]);
    });
  },
);
