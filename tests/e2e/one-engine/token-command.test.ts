import { mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { Client } from '../../support/client.ts';
import { createFolder } from '../../support/folder.ts';
import { outputOf, refusalOf, runCli, startProcess } from '../../support/process.ts';
import { createDatabase } from '../../support/server.ts';
import { createTask } from '../../support/tasks.ts';

const database = await createDatabase();
const folder = await createFolder();

describe('the token command', () => {
  it('signs tokens with the local key, which the server accepts', async () => {
    const server = await startProcess(database.env);
    const args = ['token', '--user', 'alice', '--name', 'Alice', '--ttl', '1h'];
    const { output } = await runCli(args, database.env);
    const alice = new Client(server, output.trim());

    const task = await createTask(alice);
    const { body } = await alice.ok('createComment', { id: task.id, body: { body: 'Hi' } });

    expect([task.user_id, body.author_name]).toEqual(['alice', 'Alice']);
  });

  it.each([
    [[], '--user must be text of 1 to 255 characters'],
    [['--user', 'alice', '--to', 'x'], 'token --user ID [--name NAME] [--ttl SPAN]'],
    [['--user', 'alice', 'bob'], 'token --user ID [--name NAME] [--ttl SPAN]'],
    [['--user', 'alice', '--ttl', 'soon'], 'such as 600 (seconds), 12h or 30d, not "soon".'],
    [['--user', 'alice', '--ttl', '0s'], '--ttl must be a positive time'],
    [['--user', '\u200b'], '--user must be text of 1 to 255 characters, at least one of them visible.'],
    [['--usr', 'alice'], "Unknown option '--usr'"],
  ])('refuses %j with a sentence', async (args, sentence) => {
    const { code, output } = await runCli(['token', ...args], { DATA_DIR: folder });

    expect(code).toBe(1);
    expect(output).toContain(sentence);
    expect(output).not.toContain('    at ');
  });

  it('creates no key if the server has created none, because no server would accept its tokens', async () => {
    const dataDir = await mkdtemp(join(folder, 'no-key-'));

    expect(await refusalOf(['token', '--user', 'alice'], { DATA_DIR: dataDir })).toBe(
      `No key found in ${dataDir}. Start the server first, or set the same DATA_DIR or JWT_SECRET as the server.\n`,
    );
    expect(await readdir(dataDir)).toEqual([]);
  });

  it('signs with JWT_SECRET if it is set', async () => {
    const secret = 'a secret that is long enough for HS256';

    const { output } = await runCli(['token', '--user', 'alice'], { DATA_DIR: folder, JWT_SECRET: secret });

    const { payload } = await jwtVerify(output.trim(), new TextEncoder().encode(secret));
    expect(payload.sub).toBe('alice');
  });

  it('refuses a truncated local key', async () => {
    const dataDir = await mkdtemp(join(folder, 'key-'));
    await writeFile(join(dataDir, 'token.key'), 'short');

    expect(await refusalOf(['token', '--user', 'alice'], { DATA_DIR: dataDir })).toMatch(
      /^The local key \S+ must hold 32 bytes, but it has 5\. Remove it; .*\.\n$/,
    );
  });

  it('cannot sign if only a public key is configured', async () => {
    expect(await refusalOf(['token', '--user', 'alice'], { JWKS_URL: 'https://issuer/keys' })).toBe(
      'This server only verifies tokens: its key is public. Get a token from its issuer.\n',
    );
  });
});

it('an unknown command prints the usage', async () => {
  expect(await refusalOf(['sevre'])).toMatch(/^Usage: \S+ server\/src\/cli\.ts COMMAND\n/);
});

it('--help prints all commands and what they do, and needs no valid settings', async () => {
  const help = await outputOf(['user', 'export', '--help'], { PORT: 'none' });

  expect(help).toMatch(/^ {2}user copy ID --to TARGET\n {6}copy all data/m);
});

it.each([['move'], ['move', '--to', ''], ['user', 'copy', 'alice']])(
  '%s %s without a target is refused',
  async (...args) => {
    expect(await refusalOf(args, database.env)).toContain('--to must be the address of a Postgres');
  },
);
