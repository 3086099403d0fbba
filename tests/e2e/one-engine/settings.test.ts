import { chmod, chown } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { modelEnv } from '../../support/model-server.ts';
import { run } from '../../support/postgres.ts';
import { refusalOf, startProcess } from '../../support/process.ts';
import { createDatabase, isShareable } from '../../support/server.ts';
import { freePort } from '../../support/free-port.ts';
import { secret } from '../../support/tokens.ts';
import { readLocalKey } from '../../../server/src/auth/keys.ts';
import { createFolder } from '../../support/folder.ts';

const database = await createDatabase();

const cannotListen = 'The server cannot listen. Check HOST and PORT. Node reports: Error:';

it.each([
  [{ PORT: 'http' }, /^PORT must be a whole number from 0 to 65535, but it is "http"\.\n$/],
  [
    { DATABASE_URL: 'postgres://nobody:secret@127.0.0.1:1/nowhere' },
    /^The database cannot be used\. Check DATABASE_URL\. The driver reports: connect ECONNREFUSED 127\.0\.0\.1:1\n$/,
  ],
  [
    { JWT_SECRET: '', JWKS_URL: 'file:///nowhere.json' },
    /^The file at JWKS_URL must be a JWK Set \(RFC 7517\)\.\n$/,
  ],
  [{ HOST: 'http://localhost' }, `${cannotListen} getaddrinfo E`],
  [{ HOST: '192.0.2.1' }, `${cannotListen} listen EADDRNOTAVAIL`],
])('the setting %j stops the start with a sentence that names it', async (setting, sentence) => {
  expect(await refusalOf(['serve'], { ...database.env, PORT: '0', ...setting })).toMatch(sentence);
});

it('the log of the start begins with a line of JSON that has the version and the address, unless the output is a terminal', async () => {
  const agents = modelEnv({ url: 'http://127.0.0.1:1/v1' });
  const env = { ...database.env, ...agents, JWT_SECRET: 'x'.repeat(32), LOG_LEVEL: 'warn' };
  const server = await startProcess(env);
  await server.stop('SIGTERM');

  const lines = server
    .output()
    .replace(/^Database: .*$/m, '')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object);

  expect(lines).toContainEqual(expect.objectContaining({ level: 30, version: '0.1.0', url: server.url }));
  expect(lines).toContainEqual(expect.objectContaining({ level: 40, check: 'models' }));
});

it.runIf(isShareable && process.platform === 'linux')(
  'with REUSE_PORT, two processes answer on one port, and one alone after the other has ended',
  async () => {
    const { env } = await createDatabase();
    const shared = { ...env, JWT_SECRET: secret, REUSE_PORT: 'true', PORT: String(await freePort()) };
    const processes = await Promise.all([startProcess(shared), startProcess(shared)]);
    const [first, second] = processes;
    const alice = await first.as('alice');

    // Each request has its own connection, for which the kernel chooses a process.
    const request = () => alice.ok('listTasks', { headers: { Connection: 'close' } });
    for (let n = 0; n < 40; n += 1) await request();
    await expect
      .poll(() => processes.map(({ output }) => output().includes('"listTasks"')))
      .toEqual([true, true]);

    // The start must look before it migrates: the missing migration would fail, because its table exists.
    await run(env['DATABASE_URL'] ?? '', `delete from migrations where name > '001-task-tables'`);
    expect(await refusalOf(['serve'], { ...shared, REUSE_PORT: 'false' })).toContain(
      `${cannotListen} listen EADDRINUSE`,
    );
    expect(await first.stop('SIGTERM')).toBe(0);
    await request();
    expect(await second.stop('SIGTERM')).toBe(0);
  },
);

const exposures: Readonly<Record<string, (dataDir: string) => Promise<void>>> = {
  'a local key that others may read': (dataDir) => chmod(join(dataDir, 'token.key'), 0o640),
  'a data folder that others may use': (dataDir) => chmod(dataDir, 0o705),
  ...(process.getuid?.() === 0 && { 'a data folder of another user': (dataDir) => chown(dataDir, 1, 1) }),
};

it.each(Object.entries(exposures))('%s is refused', async (_what, expose) => {
  expect(await refusalOf(['token', '--user', 'alice'], await exposed(expose))).toMatch(refusal);
});

it('the start and the doctor refuse it in the same words', async () => {
  const env = { ...database.env, ...(await exposed((dataDir) => chmod(dataDir, 0o705))) };
  const token = await refusalOf(['token', '--user', 'alice'], env);

  // The lines of JSON that the start may log before are removed.
  expect((await refusalOf(['serve'], { ...env, PORT: '0' })).replaceAll(/^\{.*\n/gm, '')).toBe(token);
  const doctor = await refusalOf(['doctor'], env);
  expect(doctor).toMatch(/^wrong +keys /m);
  expect(doctor).toContain(token);
});

const refusal = /^Other users of this machine may use .*chmod go-rwx/;

/** A `DATA_DIR` with a local key, after `expose` has run on it. */
async function exposed(expose: (dataDir: string) => Promise<void>): Promise<{ DATA_DIR: string }> {
  const dataDir = await createFolder();
  await readLocalKey(dataDir);
  await expose(dataDir);
  return { DATA_DIR: dataDir };
}
