import { expect, it } from 'vitest';
import { createFolder } from '../../support/folder.ts';
import { refusalOf } from '../../support/process.ts';

const tokenSynopsis = 'token --user ID [--name NAME] [--ttl SPAN]';
const noTarget = '--to must be the address of a Postgres';

it.each<[command: string[], sentence: string | RegExp, env?: Record<string, string>]>([
  [['sevre'], /^Usage: \S+ server\/src\/cli\.ts COMMAND\n/],
  [['token'], '--user must be text of 1 to 255 characters'],
  [['token', '--user', 'alice', '--to', 'x'], tokenSynopsis],
  [['token', '--user', 'alice', 'bob'], tokenSynopsis],
  [['token', '--user', 'alice', '--ttl', 'soon'], 'such as 600 (seconds), 12h or 30d, not "soon".'],
  [['token', '--user', 'alice', '--ttl', '0s'], '--ttl must be a positive time'],
  [
    ['token', '--user', '\u200b'],
    '--user must be text of 1 to 255 characters, at least one of them visible.',
  ],
  [['token', '--usr', 'alice'], "Unknown option '--usr'"],
  [
    ['token', '--user', 'alice'],
    /^This server only verifies tokens: its key is public\. Get a token from its issuer\.\n$/,
    { JWKS_URL: 'https://issuer/keys' },
  ],
  [['move'], noTarget],
  [['move', '--to', ''], noTarget],
  [['user', 'copy', 'alice'], noTarget],
  [['move', '--to', 'postgres:/u:p@h/db'], noTarget],
  [
    ['move', '--to', 'mysql://127.0.0.1/x'],
    '--to must be a URL that starts with postgres:// or postgresql://.',
  ],
  ...['pause', 'resume', 'retry'].map((verb): [string[], RegExp] => [
    ['runs', verb, '--runtime', 'lcoal'],
    /^There is no runtime "lcoal"\. The runtimes are: builtin\.\n$/,
  ]),
  [
    ['serve'],
    /^REUSE_PORT needs DATABASE_URL, because only one process can use the embedded database\.\n$/,
    { REUSE_PORT: 'true' },
  ],
])('the command %j is refused with a sentence', async (command, sentence, env = {}) => {
  const refusal = await refusalOf(command, { DATA_DIR: await createFolder(), ...env });

  expect(refusal).toMatch(sentence);
  expect(refusal).not.toContain('    at ');
});
