import { describe, expect } from 'vitest';
import { whileLocked } from '../../support/locks.ts';
import { engine, startTestServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';
import { auditLog, createTask } from '../../support/tasks.ts';

const server = await startTestServer({
  changes: { database: { lockTimeoutMs: 300, statementTimeoutMs: 1400 } },
});
const alice = await server.as('alice');

describe.runIf(engine === 'postgres')('while another transaction', () => {
  spec('updateTask', 503, 'locks a task, its update is refused, and changes nothing', async () => {
    const { id } = await createTask(alice);
    const change = { id, body: { title: 'Changed' } };

    const { body, headers } = await whileLocked(server, 'select from tasks for update', () =>
      alice.fails('updateTask', 503, change),
    );

    expect(body.code).toBe('Overloaded');
    expect(body.detail).toContain('Other requests have been changing the same data');
    expect(headers.get('Retry-After')).toBe('1');
    expect(await auditLog(alice, id)).toHaveLength(1);
    await alice.ok('updateTask', change);
  });

  spec('createTask', 503, 'locks the tasks, a new one is refused, and its key is not stored', async () => {
    const carol = await server.as('carol');
    const request = { body: { title: 'Once' }, headers: { 'Idempotency-Key': 'key' } };

    await whileLocked(server, 'lock table tasks in share mode', () =>
      carol.fails('createTask', 503, request),
    );

    expect((await carol.ok('createTask', request)).headers.get('Idempotency-Replayed')).toBeNull();
    expect((await carol.ok('listTasks')).body.count).toBe(1);
  });

  spec('createTask', 201, 'locks the counters of one user, another user creates tasks', async () => {
    const [dave, bob] = [await server.as('dave'), await server.as('bob')];
    const create = Array.from({ length: 60 }, () => ({ title: 'x' }));
    await dave.ok('batchTasks', { body: { create } });
    const request = { body: { title: 'Another' } };

    const counters = `select from task_counts where user_id = 'dave' for update`;
    await whileLocked(server, counters, async (transaction) => {
      const refused = [1, 2, 3].map(() => dave.fails('createTask', 503, request));
      await transaction.waitUntilSomeoneWaits();
      await Promise.all([...refused, bob.ok('createTask', request)]);
    });

    expect((await bob.ok('listTasks')).body.count).toBe(1);
    expect((await dave.ok('listTasks')).body.count).toBe(60);
  });

  spec('getTask', 503, 'locks what is read, reads are refused, even if they wait for others', async () => {
    const { id } = await createTask(alice);
    await alice.ok('getTask', { id });

    const refused = await whileLocked(server, 'lock table tasks in access exclusive mode', () =>
      Promise.all(Array.from({ length: 10 }, () => alice.fails('getTask', 503, { id }))),
    );

    for (const { headers } of refused) expect(headers.get('Retry-After')).toBe('1');
    await alice.ok('getTask', { id });
  });
});
