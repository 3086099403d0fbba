import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { program } from '../../server/src/lib/program.ts';
import { createAgent } from '../support/agents.ts';
import { createFolder } from '../support/folder.ts';
import { modelEnv, startModelServer } from '../support/model-server.ts';
import { outputOf, refusalOf } from '../support/process.ts';
import { createDatabase, isShareable, type TestDatabase } from '../support/server.ts';
import { createTask } from '../support/tasks.ts';
import { copyOf, erased, filledDatabase, onServer } from '../support/two-users.ts';
import { fillUser, readUser, searchDatabase } from '../support/user-data.ts';
import { startedRun } from '../support/with-model.ts';

const folder = await createFolder();
const filled = await filledDatabase();

describe('user copy', () => {
  const target = (env: TestDatabase['env']): string => env['DATABASE_URL'] ?? env['DATA_DIR'] ?? '';

  it('makes a user the same in another database, next to its users', async () => {
    const other = await createDatabase();
    const before = await onServer(filled, async (as) => readUser(await as(erased)));
    await onServer(other.env, async (as) => fillUser(await as('carol'), 'carol'));

    const command = ['user', 'copy', erased, '--to', target(other.env)];
    expect(await outputOf(command, filled)).toMatch(/^Copied 5 tasks, /);
    await onServer(other.env, async (as) => {
      const copied = await as(erased);
      expect(await readUser(copied)).toEqual(before);
      const { body } = await copied.ok('listChanges', { query: { after: 'now' } });
      const { id } = await createTask(copied, { title: 'Later' });
      const later = (await copied.ok('listChanges', { query: { after: body.next } })).body.changes;
      expect(later.map(({ task_id: task }) => task)).toEqual([id]);
      expect((await (await as('carol')).ok('listTasks')).body.count).toBe(5);
    });
    expect(await refusalOf(command, filled)).toContain('The target has rows of the user');
  });

  it('creates no target', async () => {
    const empty = join(folder, 'empty');

    expect(await refusalOf(['user', 'copy', erased, '--to', empty], filled)).toBe(
      `${empty} has no database. If it should have one, correct the name of the folder. Otherwise \`${program} migrate\` or the start of a server creates one.\n`,
    );
    expect(existsSync(empty)).toBe(false);
  });

  it.runIf(isShareable)('copies nothing while runs are in progress', async () => {
    const [env, other] = [await copyOf(filled), await createDatabase()];

    const model = await startModelServer();
    await onServer({ ...env, ...modelEnv(model) }, async (as) => {
      const client = await as(erased);
      await startedRun({ model, alice: client, agent: await createAgent(client, { runtime: 'local' }) }, 's');
      expect(await refusalOf(['user', 'copy', erased, '--to', target(other.env)], env)).toContain(
        'are in progress',
      );
    });
    expect(await searchDatabase(other.env, erased)).toEqual({});
  });
});
