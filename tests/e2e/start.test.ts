import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import { localToken, refusalOf, type RunningProcess, startProcess } from '../support/process.ts';
import { createDatabase, engine } from '../support/server.ts';
import { createTask } from '../support/tasks.ts';

const database = await createDatabase();

it.runIf(engine !== 'citus')(
  'a server process keeps its local key and acknowledged data over SIGTERM and SIGKILL',
  async () => {
    const first = await startProcess(database.env);
    const token = await localToken(database.env);
    const task = await createTask(new Client(first, token), { title: 'Still here' });
    expect(await first.stop('SIGTERM')).toBe(0);

    const second = await startProcess(database.env);
    const me = new Client(second, token);
    expect((await me.ok('getTask', { id: task.id })).body.task).toEqual(task);
    expect(second.output()).not.toContain('the database was empty');
    const tasks = await Promise.all(
      Array.from({ length: 10 }, () => createTask(me, { workspace_id: 'killed' })),
    );
    await second.stop('SIGKILL');

    const third = await startProcess(database.env);
    const { body } = await new Client(third, token).ok('listTasks', {
      query: { workspace_id: 'killed' },
    });
    expect(body.tasks.map(({ id }) => id).sort()).toEqual(tasks.map(({ id }) => id).sort());
    expect(await third.stop('SIGINT')).toBe(0);
  },
);

describe.runIf(engine === 'pglite')('the data folder of a running server', () => {
  let server: RunningProcess;

  beforeAll(async () => {
    server = await startProcess(database.env);
  });

  afterAll(async () => {
    await server.stop('SIGTERM');
  });

  it('holds a database that other users of the machine cannot read', async () => {
    const { mode } = await stat(join(database.env['DATA_DIR'] ?? '', 'database'));

    expect(mode & 0o007).toBe(0);
  });

  it('is refused to a second process with a sentence', async () => {
    expect(await refusalOf(['serve'], { ...database.env, PORT: '0' })).toMatch(
      /^Another process uses the data folder \S+\. Stop it, or set DATA_DIR to another folder\.$/m,
    );
  });
});
