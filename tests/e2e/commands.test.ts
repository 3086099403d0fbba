import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

describe.each([
  [{ PORT: 'http' }, 'PORT must be a whole number from 0 to 65535, but it is "http".'],
  [{ PORT: '65536' }, 'PORT must be a whole number from 0 to 65535, but it is "65536".'],
  [
    { LOG_LEVEL: 'loud' },
    'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, but it is "loud".',
  ],
  [
    { DATABASE_URL: 'mysql://root:secret@x' },
    'DATABASE_URL must be an address that starts with postgres:// or postgresql://.',
  ],
  [{ JWT_SECRET: 'short' }, 'JWT_SECRET must have at least 32 bytes (RFC 7518 asks for that with HS256).'],
  [{ JWT_PUBLIC_KEY: 'nonsense' }, 'JWT_PUBLIC_KEY must be a public key in PEM form (BEGIN PUBLIC KEY).'],
  [{ JWKS_URL: 'file:///etc/passwd' }, 'JWKS_URL must be an address that starts with https:// or http://.'],
  [
    { DATABASE_URL: 'postgres://nobody:secret@127.0.0.1:1/nowhere' },
    'The database cannot be used. Check DATABASE_URL. Its driver says: Error: connect ECONNREFUSED 127.0.0.1:1',
  ],
  [{ HOST: '192.0.2.1' }, 'HOST 192.0.2.1 is no address of this machine.'],
  [
    { JWT_SECRET: 'x'.repeat(32), JWKS_URL: 'https://x' },
    'Set only one of JWT_SECRET, JWT_PUBLIC_KEY and JWKS_URL: tokens are verified by one key.',
  ],
])('the setting %j', (setting, sentence) => {
  it('stops the start with a sentence that names it', async () => {
    const { code, output } = await runCli(['serve'], { ...database.env, PORT: '0', ...setting });

    expect({ code, output }).toEqual({ code: 1, output: `${sentence}\n` });
  });
});

describe('the token command', () => {
  it('signs tokens with the local key, which the server accepts', async () => {
    const env = { ...database.env, PORT: '0' };
    const { output } = await runCli(['token', '--user', 'alice', '--name', 'Alice', '--ttl', '1h'], env);
    const server = await startProcess(env);
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
