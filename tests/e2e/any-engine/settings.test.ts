import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../../server/src/config.ts';
import { StartupError } from '../../../server/src/environment.ts';
import { runCli } from '../../support/process.ts';
import { createDatabase, type TestDatabase } from '../../support/server.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createDatabase();
});

afterAll(async () => {
  await database.drop();
});

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
  [{ JWT_PUBLIC_KEY: 'nonsense' }, 'JWT_PUBLIC_KEY must be a public key in PEM form (BEGIN PUBLIC KEY).'],
])('the setting %j', (setting, sentence) => {
  it('stops the start with a sentence that names it', async () => {
    const { code, output } = await runCli(['serve'], { ...database.env, PORT: '0', ...setting });

    expect({ code, output }).toEqual({ code: 1, output: `${sentence}\n` });
  });
});

// The first test above shows what becomes of a StartupError; these need no process.
describe.each<[Record<string, string>, string]>([
  [{ MAX_REQUESTS: '100' }, 'MAX_REQUESTS was renamed. Set MAX_CONCURRENT_REQUESTS instead.'],
  [
    { DATABASE_STATEMENTS: 'unnamed' },
    'DATABASE_STATEMENTS was renamed. Set DATABASE_PREPARED_STATEMENTS (true or false) instead.',
  ],
  [{ PORT: '65536' }, 'PORT must be a whole number from 0 to 65535, but it is "65536".'],
  [
    { LOG_LEVEL: 'loud' },
    'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, but it is "loud".',
  ],
  [
    { DATABASE_URL: 'mysql://root:secret@x' },
    'DATABASE_URL must be a URL that starts with postgres:// or postgresql://.',
  ],
  ...['ab/cd+ef==', 'p#q', '100%'].map((password): [Record<string, string>, string] => [
    { DATABASE_URL: `postgres://me:${password}@127.0.0.1:1/x` },
    'DATABASE_URL cannot be parsed: percent-encode / @ : # ? % where the password has them.',
  ]),
  [
    { CORS_ORIGINS: 'https://a.example/' },
    'CORS_ORIGINS must list origins without a trailing slash, but it has "https://a.example/".',
  ],
  [
    {
      AGENT_RUNTIMES: 'local,local',
      AGENT_RUNTIME_LOCAL_URL: 'http://127.0.0.1:1/v1',
      AGENT_RUNTIME_LOCAL_MODEL: 'small',
    },
    'AGENT_RUNTIMES lists "local" more than once.',
  ],
  [
    { AGENT_RUNTIME_LOCAL_URL: 'http://127.0.0.1:1/v1' },
    'AGENT_RUNTIME_LOCAL_URL is set, but AGENT_RUNTIMES does not list its model server.',
  ],
  [{ JWT_SECRET: 'short' }, 'JWT_SECRET must have at least 32 bytes (RFC 7518 requires this for HS256).'],
  [{ JWKS_URL: 'file:///etc/passwd' }, 'JWKS_URL must be a URL that starts with https:// or http://.'],
  [{ AGENT_DEFAULT_RUNTIME: 'gpt' }, 'AGENT_DEFAULT_RUNTIME must be one of builtin, but it is "gpt".'],
  [
    { JWT_SECRET: 'x'.repeat(32), JWKS_URL: 'https://x' },
    'Set only one of JWT_SECRET, JWT_PUBLIC_KEY and JWKS_URL: the server verifies tokens with one of them.',
  ],
])('the setting %j', (setting, sentence) => {
  it('is refused with a sentence that names it', () => {
    expect(() => readConfig({ DATA_DIR: 'nowhere', PORT: '0', ...setting })).toThrow(
      new StartupError(sentence),
    );
  });
});
