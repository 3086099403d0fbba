import { describe, expect, it } from 'vitest';
import { modelEnv } from '../../support/model-server.ts';
import { refusalOf, startProcess } from '../../support/process.ts';
import { createDatabase } from '../../support/server.ts';

const database = await createDatabase();

describe.each([
  [{ PORT: 'http' }, 'PORT must be a whole number from 0 to 65535, but it is "http".'],
  [
    { HOST: 'http://localhost' },
    'HOST http://localhost is neither an address nor a name that this machine can resolve.',
  ],
  [
    { DATABASE_URL: 'postgres://nobody:secret@127.0.0.1:1/nowhere' },
    'The database cannot be used. Check DATABASE_URL. The driver reports: Error: connect ECONNREFUSED 127.0.0.1:1',
  ],
  [{ HOST: '192.0.2.1' }, 'HOST 192.0.2.1 is not an address of this machine.'],
  [
    { HOST: 'nowhere.invalid' },
    'HOST nowhere.invalid is neither an address nor a name that this machine can resolve.',
  ],
  [
    { JWT_SECRET: '', JWKS_URL: 'file:///nowhere.json' },
    'The file at JWKS_URL must be a JSON Web Key Set (RFC 7517).',
  ],
])('the setting %j', (setting, sentence) => {
  it('stops the start with a sentence that names it', async () => {
    expect(await refusalOf(['serve'], { ...database.env, PORT: '0', ...setting })).toBe(`${sentence}\n`);
  });
});

it('runs pause refuses a runtime that the settings do not name', async () => {
  expect(await refusalOf(['runs', 'pause', '--runtime', 'lcoal'])).toBe(
    'There is no runtime "lcoal". The runtimes are: builtin.\n',
  );
});

it('the log of the start begins with a line of JSON that has the version and the address, unless the output is a terminal', async () => {
  const agents = modelEnv({ url: 'http://127.0.0.1:1/v1' });
  const env = { ...database.env, ...agents, JWT_SECRET: 'x'.repeat(32), LOG_LEVEL: 'warn', POTR: '3000' };
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
  expect(lines).toContainEqual(
    expect.objectContaining({
      level: 40,
      msg: 'POTR looks like a setting of this server, but it has none of that name',
    }),
  );
});
