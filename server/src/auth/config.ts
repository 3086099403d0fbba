import { StartupError, text, url, type Environment } from '../environment.ts';

export interface TokenConfig {
  readonly secret: string | undefined;
  /** Still verifies tokens while their signers change to `secret`. */
  readonly previousSecret: string | undefined;
  /** One or several public keys in PEM form. */
  readonly publicKeys: string | undefined;
  readonly jwksUrl: string | undefined;
  readonly issuer: string | undefined;
  readonly audience: string | undefined;
}

/** Reads the settings of keys and tokens. */
export function readTokenConfig(env: Environment): TokenConfig {
  const tokens = {
    secret: text(env, 'JWT_SECRET'),
    previousSecret: text(env, 'JWT_SECRET_PREVIOUS'),
    publicKeys: text(env, 'JWT_PUBLIC_KEY')?.replaceAll('\\n', '\n'),
    jwksUrl: url(env, 'JWKS_URL', ['https:', 'http:']),
    issuer: text(env, 'JWT_ISSUER'),
    audience: text(env, 'JWT_AUDIENCE'),
  };
  if ([tokens.secret, tokens.publicKeys, tokens.jwksUrl].filter((key) => key !== undefined).length > 1) {
    throw new StartupError(
      'Set only one of JWT_SECRET, JWT_PUBLIC_KEY and JWKS_URL: the server verifies tokens with one of them.',
    );
  }
  assertLongEnough('JWT_SECRET', tokens.secret);
  assertLongEnough('JWT_SECRET_PREVIOUS', tokens.previousSecret);
  if (tokens.previousSecret !== undefined && tokens.secret === undefined) {
    throw new StartupError(
      'JWT_SECRET_PREVIOUS verifies tokens in addition to JWT_SECRET. Set JWT_SECRET too.',
    );
  }
  const hasKey = [tokens.secret, tokens.publicKeys, tokens.jwksUrl].some((key) => key !== undefined);
  if (!hasKey && tokens.issuer !== undefined && !isHttpUrl(tokens.issuer)) {
    throw new StartupError(
      'JWT_ISSUER must be a URL that starts with https:// or http://, where the keys of the issuer are found, unless JWT_SECRET, JWT_PUBLIC_KEY or JWKS_URL is set.',
    );
  }
  return tokens;
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

function assertLongEnough(name: string, secret: string | undefined): void {
  if (secret !== undefined && Buffer.byteLength(secret) < 32)
    throw new StartupError(`${name} must have at least 32 bytes (RFC 7518 requires this for HS256).`);
}
