import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import { runCli, startProcess } from '../support/process.ts';
import { createDatabase, engine, type TestDatabase } from '../support/server.ts';
import { createTask } from '../support/tasks.ts';

let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  database = await createDatabase();
  folder = await mkdtemp(join(tmpdir(), 'worktable-e2e-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await database.drop();
});

describe.runIf(engine === 'pglite')('an embedded database', () => {
  it('that is damaged stops the start with a sentence that says what to do', async () => {
    const dataDir = await mkdtemp(join(folder, 'damaged-'));
    await mkdir(join(dataDir, 'database'));
    await writeFile(join(dataDir, 'database/PG_VERSION'), '99');

    const { code, output } = await runCli(['migrate'], { DATA_DIR: dataDir });

    expect(code).toBe(1);
    expect(output).toBe(
      `The embedded database ${dataDir}/database cannot be opened: it is damaged, or another version of Postgres made it. Restore a backup, or move it away to begin with an empty one.\n`,
    );
  });

  it('that a migration does not fit stops the start with what its driver says', async () => {
    const dataDir = await mkdtemp(join(folder, 'strange-'));
    const pglite = await PGlite.create(join(dataDir, 'database'));
    await pglite.exec('create table tasks (id text)');
    await pglite.close();

    const { code, output } = await runCli(['migrate'], { DATA_DIR: dataDir });

    expect(code).toBe(1);
    expect(output).toBe(
      'The migration 001-tasks failed, and the database is as it was. Its driver says: error: relation "tasks" already exists\n',
    );
  });

  it('that cannot be used is not said to be at DATABASE_URL', async () => {
    const dataDir = await mkdtemp(join(folder, 'foreign-'));
    const pglite = await PGlite.create(join(dataDir, 'database'));
    await pglite.exec('create table kysely_migration (strange text)');
    await pglite.close();

    const { code, output } = await runCli(['migrate'], { DATA_DIR: dataDir });

    expect(code).toBe(1);
    expect(output).toMatch(/^The database cannot be used\. Check DATA_DIR\. Its driver says: .*"name".*\n$/);
  });
});

describe('the token command', () => {
  it('signs tokens with the local key, which the server accepts', async () => {
    const server = await startProcess(database.env);
    const args = ['token', '--user', 'alice', '--name', 'Alice', '--ttl', '1h'];
    const { output } = await runCli(args, database.env);
    const alice = new Client(server.url, output.trim());

    const task = await createTask(alice);
    const { body } = await alice.ok('createComment', { id: task.id, body: { body: 'Hi' } });

    expect([task.user_id, body.author_name]).toEqual(['alice', 'Alice']);
    await server.stop('SIGTERM');
  });

  it.each([
    [[], 'Name the user with --user.'],
    [
      ['--user', 'alice', '--ttl', 'soon'],
      '--ttl must be a number of seconds or a span such as 30d or 12h, but it is "soon".',
    ],
    [['--usr', 'alice'], "Unknown option '--usr'"],
  ])('refuses %j with a sentence', async (args, sentence) => {
    const { code, output } = await runCli(['token', ...args], { DATA_DIR: folder });

    expect(code).toBe(1);
    expect(output).toContain(sentence);
    expect(output).not.toContain('    at ');
  });

  it('makes no key where the server has made none, as no server would accept its tokens', async () => {
    const dataDir = await mkdtemp(join(folder, 'no-key-'));

    const { code, output } = await runCli(['token', '--user', 'alice'], { DATA_DIR: dataDir });

    expect({ code, output }).toEqual({
      code: 1,
      output: `There is no key in ${dataDir}; start the server first, or set the DATA_DIR or JWT_SECRET that it has.\n`,
    });
    expect(await readdir(dataDir)).toEqual([]);
  });

  it('signs with JWT_SECRET, where it is set', async () => {
    const secret = 'a secret that is long enough for HS256';

    const { output } = await runCli(['token', '--user', 'alice'], { DATA_DIR: folder, JWT_SECRET: secret });

    const { payload } = await jwtVerify(output.trim(), new TextEncoder().encode(secret));
    expect(payload.sub).toBe('alice');
  });

  it('refuses a local key that is not whole', async () => {
    const dataDir = await mkdtemp(join(folder, 'key-'));
    await writeFile(join(dataDir, 'token.key'), 'short');

    const { code, output } = await runCli(['token', '--user', 'alice'], { DATA_DIR: dataDir });

    expect(code).toBe(1);
    expect(output).toMatch(/^The local key \S+ must hold 32 bytes, but it has 5\. Remove it; .*\.\n$/);
  });

  it('cannot sign where only a public key is configured', async () => {
    const { code, output } = await runCli(['token', '--user', 'alice'], { JWKS_URL: 'https://issuer/keys' });

    expect(code).toBe(1);
    expect(output).toBe(
      'This server only verifies tokens: its key is public. Get a token where they are issued.\n',
    );
  });
});

describe('the migrate command', () => {
  it('says what it did, and that there is nothing more to do', async () => {
    const first = await runCli(['migrate'], {
      ...database.env,
      ...(engine === 'pglite' ? { DATA_DIR: folder } : {}),
    });
    const second = await runCli(['migrate'], {
      ...database.env,
      ...(engine === 'pglite' ? { DATA_DIR: folder } : {}),
    });

    expect([first.code, second.code]).toEqual([0, 0]);
    expect(first.output).toMatch(
      engine === 'pglite' ? /^Migrated: 001-tasks, / : /^The database is up to date\.$/m,
    );
    expect(second.output).toBe('The database is up to date.\n');
  });
});

it('an unknown command prints how to use it', async () => {
  const { code, output } = await runCli(['sevre']);

  expect(code).toBe(1);
  expect(output).toMatch(/^Usage:/);
});
