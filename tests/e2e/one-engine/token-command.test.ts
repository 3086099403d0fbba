import { mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../../support/folder.ts';
import { outputOf, refusalOf, runCli } from '../../support/process.ts';

const folder = await createFolder();

describe('the token command', () => {
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
});

it('--help prints all commands and what they do, and needs no valid settings', async () => {
  const help = await outputOf(['user', 'export', '--help'], { PORT: 'none' });

  expect(help).toMatch(/^ {2}user copy ID --to TARGET\n {6}copy all data/m);
});
