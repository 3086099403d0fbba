import { expect, it } from 'vitest';
import { killedAt } from '../support/killed-servers.ts';
import { startProcess } from '../support/process.ts';
import { createDatabase } from '../support/server.ts';
import { auditLog, createTask } from '../support/tasks.ts';
import { secret } from '../support/tokens.ts';
import { onServer } from '../support/two-users.ts';

/** The statements of the batch at which a process is killed. */
const kills = [
  ['before 1', 'insert into idempotency_keys'],
  ['before 2', 'insert into tasks'],
  ['before 1', 'insert into task_counts'],
  ['after 1', 'insert into task_counts'],
] as const;

it('a batch takes effect once and as a whole, whenever its process is killed', async () => {
  const database = await createDatabase();
  const env = { ...database.env, JWT_SECRET: secret, LOG_LEVEL: 'error' };
  const { gone, moved } = await onServer(env, async (as) => ({
    gone: await createTask(await as('alice'), { title: 'Gone' }),
    moved: await createTask(await as('alice'), { title: 'Moved' }),
  }));
  const batch = {
    body: {
      create: [{ title: 'One' }, { title: 'Two' }],
      update: [{ id: moved.id, status: 'done' }],
      delete: [{ id: gone.id }],
    },
    headers: { 'Idempotency-Key': 'killed' },
  };

  for (const [at, statement] of kills) {
    const server = await startProcess({ ...env, ...killedAt(at, statement) });
    const client = await server.as('alice');
    await expect(client.send('batchTasks', batch), `${at} ${statement}`).rejects.toThrow();
    await server.exited;
    const isDone = at.startsWith('after');
    const titles = isDone ? ['Moved', 'One', 'Two'] : ['Gone', 'Moved'];
    await onServer(env, async (as) => {
      const { body } = await (await as('alice')).ok('listTasks', { query: { sort: 'title' } });
      expect(body.tasks.map(({ title }) => title)).toEqual(titles);
      expect(body.count).toBe(titles.length);
    });
  }
  await onServer(env, async (as) => {
    const client = await as('alice');
    const { body, headers } = await client.ok('batchTasks', batch);

    expect(headers.get('Idempotency-Replayed')).toBe('true');
    expect([...body.create, ...body.update, ...body.delete].map(({ status }) => status)).toEqual([
      201, 201, 200, 200,
    ]);
    expect(await auditLog(client, moved.id)).toHaveLength(2);
    expect((await client.ok('countTasks')).body.count).toBe(3);
  });
});
