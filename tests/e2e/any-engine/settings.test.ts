import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig, settingsWarnings } from '../../../server/src/config.ts';
import { StartupError } from '../../../server/src/environment.ts';
import { runCli, startProcess } from '../../support/process.ts';
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
  [
    { MCP_SKILLS: 'Files' },
    'MCP_SKILLS lists "Files", but a name consists of lower-case letters, digits and "-".',
  ],
  [{ MCP_SKILLS: 'files' }, 'MCP_SKILLS lists "files", so MCP_SKILL_FILES_URL must be set to its address.'],
  [
    { MCP_SKILLS: 'files', MCP_SKILL_FILES_URL: 'http://me:secret@127.0.0.1/mcp' },
    'MCP_SKILL_FILES_URL must not have a user or password. Set MCP_SKILL_FILES_TOKEN instead.',
  ],
  [
    { MCP_SKILLS: 'files', MCP_SKILL_FILES_URL: 'http://127.0.0.1/mcp', MCP_SKILL_FILES_TOKEN: 'a\nb' },
    'MCP_SKILL_FILES_TOKEN must have visible ASCII characters only.',
  ],
  [
    { MCP_SKILLS: 'a'.repeat(33), [`MCP_SKILL_${'A'.repeat(33)}_URL`]: 'http://127.0.0.1/mcp' },
    `MCP_SKILLS lists "${'a'.repeat(33)}", but a name has at most 32 characters: it is part of the names of tools.`,
  ],
  [
    { MCP_SKILL_FILES_TOKEN: 'secret' },
    'MCP_SKILL_FILES_TOKEN is set, but MCP_SKILLS does not list its MCP server.',
  ],
  [
    { JWT_SECRET_PREVIOUS: 'x'.repeat(32) },
    'JWT_SECRET_PREVIOUS verifies tokens in addition to JWT_SECRET. Set JWT_SECRET too.',
  ],
  [{ JWT_SECRET: 'short' }, 'JWT_SECRET must have at least 32 bytes (RFC 7518 requires this for HS256).'],
  [{ JWKS_URL: 'file:///etc/passwd' }, 'JWKS_URL must be a URL that starts with https:// or http://.'],
  ...['tasks.example.com', 'https://tasks.example.com/', 'https://example.com/tasks', 'ftp://x'].map(
    (value): [Record<string, string>, string] => [
      { PUBLIC_URL: value },
      `PUBLIC_URL must be an address such as https://tasks.example.com, without a path or a slash at its end, but it is "${value}".`,
    ],
  ),
  [
    { PUBLIC_URL: 'https://tasks.example.com', JWT_ISSUER: 'https://issuer.example.com' },
    'With PUBLIC_URL and JWT_ISSUER, JWT_AUDIENCE must be set, so that tokens for other services of the issuer are refused. Usually it is PUBLIC_URL with /mcp at its end.',
  ],
  [
    { JWT_ISSUER: 'my issuer' },
    'JWT_ISSUER must be a URL that starts with https:// or http://, where the keys of the issuer are found, unless JWT_SECRET, JWT_PUBLIC_KEY or JWKS_URL is set.',
  ],
  [{ MCP_DELETE: 'yes' }, 'MCP_DELETE must be one of true, false, but it is "yes".'],
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

describe('a variable that was probably meant to be DATABASE_URL', () => {
  it.each([
    [
      { DATABSE_URL: 'postgres://x' },
      'DATABSE_URL is not a setting of this server. Did you mean DATABASE_URL?',
    ],
    [
      { DATABASE_ULR: 'postgres://x' },
      'DATABASE_ULR is not a setting of this server. Did you mean DATABASE_URL?',
    ],
    [
      { DATABASE_URL: '', NODE_ENV: 'production' },
      'DATABASE_URL is empty. Set it, or remove it to use the embedded database in DATA_DIR.',
    ],
  ])('stops the start: %j', (env, sentence) => {
    expect(() => settingsWarnings(env)).toThrow(new StartupError(sentence));
  });
});

describe('the log of the start', () => {
  it.each([
    [
      { DATABASE_POOL: '5' },
      ['DATABASE_POOL looks like a setting of this server, but it has none of that name'],
    ],
    [
      { CHART_WORKER: '5' },
      ['CHART_WORKER looks like a setting of this server, but it has none of that name'],
    ],
    [
      { JWT_ISSUER: 'https://id.example.com' },
      ['JWT_AUDIENCE is not set, so tokens that JWT_ISSUER made for other applications are accepted'],
    ],
    [{ POTR: '5' }, ['POTR looks like a setting of this server, but it has none of that name']],
    [{ PATH: '/bin', HOSTNAME: 'x', NODE_ENV: 'production', DATABASE_URL: 'postgres://127.0.0.1/x' }, []],
    [
      { NODE_ENV: 'production' },
      ['DATABASE_URL is not set, so the embedded database in DATA_DIR is used in production'],
    ],
  ])('tells what may not be meant: %j', (env, sentences) => {
    expect(settingsWarnings(env)).toEqual(sentences);
  });

  it('begins with a line of JSON that has the version and the address, unless the output is a terminal', async () => {
    const env = { ...database.env, JWT_SECRET: 'x'.repeat(32), LOG_LEVEL: 'warn', POTR: '3000' };
    const server = await startProcess(env);
    await server.stop('SIGTERM');

    const lines = server
      .output()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);

    expect(lines).toContainEqual(expect.objectContaining({ level: 30, version: '0.1.0', url: server.url }));
    expect(lines).toContainEqual(
      expect.objectContaining({
        level: 40,
        msg: 'POTR looks like a setting of this server, but it has none of that name',
      }),
    );
  });
});
