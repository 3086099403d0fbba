import { signingKey } from '../auth/keys.ts';
import { issueToken, textFromClaim } from '../auth/tokens.ts';
import type { Config } from '../config/config.ts';
import { StartupError } from '../lib/startup-error.ts';

export async function printToken(
  config: Config,
  { user, name, ttl = '30d' }: { readonly user?: string; readonly name?: string; readonly ttl?: string },
): Promise<void> {
  if (!/^(?!0+\D?$)\d{1,9}[smhdwy]?$/.test(ttl))
    throw new StartupError(`--ttl must be a positive time such as 600 (seconds), 12h or 30d, not "${ttl}".`);
  if (user === undefined || textFromClaim(user) === undefined)
    throw new StartupError('--user must be text of 1 to 255 characters, at least one of them visible.');
  const key = await signingKey(config.tokens, config.dataDir);
  if (key === undefined)
    throw new StartupError(
      'This server only verifies tokens: its key is public. Get a token from its issuer.',
    );
  console.log(await issueToken(key, config.tokens, { user, name, ttl }));
}
