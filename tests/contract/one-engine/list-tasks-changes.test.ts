import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../server/src/config/config.ts';
import document from '../../../server/src/generated/openapi.json' with { type: 'json' };
import type { Schemas } from '../../../server/src/contract/operation.ts';
import type { Client } from '../../support/client.ts';
import { whileLocked } from '../../support/locks.ts';
import { engine, startTestServer } from '../../support/server.ts';
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

const server = await startTestServer();

describe.runIf(engine === 'postgres').each(['createTask', 'updateTask'] as const)(
  'an %s that waits for another write of its workspace',
  (operation) => {
    spec('listTasks', 200, 'misses it from the newest updated_at on, but not with the overlap', async () => {
      const poller = await server.as(operation);
      const task = await createTask(poller, { workspace_id: 'quiet' });
      const body = { title: 'Held up', workspace_id: 'busy' };
      const headers = { 'Idempotency-Key': 'held up' };

      const other = `insert into task_counts
          select '${operation}', 'busy', 'todo', bucket, 1 from generate_series(0, 3) bucket`;
      const { seen, waiting } = await whileLocked(server, other, async (transaction) => {
        const writing =
          operation === 'createTask'
            ? poller.ok('createTask', { body, headers })
            : poller.ok('updateTask', { id: task.id, body });
        await transaction.waitUntilSomeoneWaits();
        await createTask(poller, { workspace_id: 'quiet' });
        const list = await newestFirst(poller, task.updated_at);
        await transaction.query('rollback');
        return { seen: list, waiting: await writing };
      });
      const overlapping = new Date(Date.parse(newestOf(seen)) - overlapMs).toISOString();

      expect(unseen(await newestFirst(poller, newestOf(seen)), seen)).toEqual([]);
      expect(unseen(await newestFirst(poller, overlapping), seen)).toEqual([waiting.body.task.id]);
    });
  },
);
