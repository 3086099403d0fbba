import { expect, it } from 'vitest';
import { readConfig } from '../../server/src/config/config.ts';
import { StartupError } from '../../server/src/lib/startup-error.ts';

const url = 'http://127.0.0.1:1/v1';
const local = { AGENT_RUNTIME_LOCAL_URL: url, AGENT_RUNTIME_LOCAL_MODEL: 'small' };
type Refusal = [env: Record<string, string>, sentence: string];
const files = { MCP_SKILL_FILES_URL: 'http://127.0.0.1/mcp' };

// See tests/e2e/one-engine/settings.test.ts for the effect of a StartupError on the start.
it.each<Refusal>([
  [{ PORT: '65536' }, 'PORT must be a whole number from 0 to 65535, but it is "65536".'],
  [
    { LOG_LEVEL: 'loud' },
    'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, but it is "loud".',
  ],
  [
    { DATABASE_URL: 'mysql://root:secret@x' },
    'DATABASE_URL must be a URL that starts with postgres:// or postgresql://.',
  ],
  ...['me:ab/cd+ef==@x/x', 'me:p#q@x/x', 'me:100%@x/x', 'me@x/%ff'].map((rest): Refusal => [
    { DATABASE_URL: `postgres://${rest}` },
    'DATABASE_URL cannot be parsed: percent-encode / @ : # ? % where the password has them, and name one host only.',
  ]),
  [
    { AGENT_RUNTIME_BUILTIN_URL: url, AGENT_RUNTIME_BUILTIN_MODEL: 'small' },
    'AGENT_RUNTIME_BUILTIN_URL names a model server like the built-in runtime. Rename it.',
  ],
  [
    { MCP_SKILL_2_URL: 'http://127.0.0.1/mcp' },
    'MCP_SKILL_2_URL names the server "2", but a name has letters, digits and "_", at most 32, and begins with a letter.',
  ],
  ...['JWKS_URL', 'AGENT_RUNTIME_LOCAL_URL', 'MCP_SKILL_FILES_URL'].map((name): Refusal => [
    { ...local, [name]: 'http://me:secret@127.0.0.1/mcp' },
    `${name} must not have a user or password. Keys have settings of their own.`,
  ]),
  [{ JWT_AUDIENCE: ',' }, 'JWT_AUDIENCE has only white space or commas. Set a value, or remove it.'],
  [
    { ...files, MCP_SKILL_FILES_TOKEN: 'a\nb' },
    'MCP_SKILL_FILES_TOKEN must have visible ASCII characters only.',
  ],
  [
    { MCP_SKILL_FILES_TOKEN: 'secret' },
    'MCP_SKILL_FILES_URL must be set, because another setting of "files" is.',
  ],
  [
    { JWT_SECRET: Array(3).fill('x'.repeat(32)).join('\n') },
    'JWT_SECRET must have at most two secrets, one on each line.',
  ],
  ...['short', `${'x'.repeat(32)}\nshort`].map((value): Refusal => [
    { JWT_SECRET: value },
    'JWT_SECRET must have at least 32 bytes (RFC 7518 requires this for HS256).',
  ]),
  [{ JWKS_URL: 'ftp://x' }, 'JWKS_URL must be a URL that starts with https:// or http:// or file://.'],
  ...['2', '2 days', '1000000d', '-1d'].map((value): Refusal => [
    { RETENTION_SESSIONS: value },
    `RETENTION_SESSIONS must be a time from 1d to 36500d, such as 500ms, 30s, 5m, 1h or 7d, but it is "${value}".`,
  ]),
  ...['tasks.example.com', 'https://tasks.example.com/', 'https://example.com/tasks', 'ftp://x'].map(
    (value): Refusal => [
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
    'JWT_ISSUER must be a URL that starts with https:// or http://, where the keys of the issuer are found, unless JWT_SECRET or JWKS_URL is set.',
  ],
  [
    { DATABASE_URL: '', NODE_ENV: 'production' },
    'DATABASE_URL is empty. Set it, or remove it to use the embedded database in DATA_DIR.',
  ],
  [
    { JWT_SECRET: 'x'.repeat(32), JWKS_URL: 'https://x' },
    'Set only one of JWT_SECRET and JWKS_URL: the server verifies tokens with one of them.',
  ],
])('the setting %j is refused with a sentence that names it', (setting, sentence) => {
  expect(() => readConfig({ DATA_DIR: 'nowhere', PORT: '0', ...setting })).toThrow(
    new StartupError(sentence),
  );
});

it.each([
  [
    { JWT_ISSUER: 'https://id.example.com' },
    ['JWT_AUDIENCE is not set, so tokens that JWT_ISSUER made for other applications are accepted'],
  ],
  [{ NODE_ENV: 'production', DATABASE_URL: 'postgres://127.0.0.1/x' }, []],
  [
    { NODE_ENV: 'production' },
    ['DATABASE_URL is not set, so the embedded database in DATA_DIR is used in production'],
  ],
])('the warnings of the start name what may be a mistake: %j', (env, warnings) => {
  expect(readConfig(env)).toMatchObject({ warnings });
});
