import { signingKey } from '../auth/keys.ts';
import { issueToken } from '../auth/tokens.ts';
import type { Config } from '../config/config.ts';
import { StartupError } from '../lib/startup-error.ts';
import type { Arguments } from './arguments.ts';

export async function printToken(config: Config, { get, find }: Arguments): Promise<void> {
  const ttl = find('ttl') ?? '30d';
  if (!/^\d+[smhdwy]?$/.test(ttl))
    throw new StartupError(
      `--ttl must be a number of seconds or a span such as 30d or 12h, but it is "${ttl}".`,
    );
  const key = await signingKey(config.tokens, config.dataDir);
  if (key === undefined) {
    throw new StartupError(
      'This server only verifies tokens: its key is public. Get a token from its issuer.',
    );
  }
  console.log(await issueToken(key, config.tokens, { user: get('user'), name: find('name'), ttl }));
}
