import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK, type JWTPayload } from 'jose';
import { startHttpServer } from './http-server.ts';

export interface Key {
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  /** The public key in the form in which an issuer publishes it. */
  readonly jwk: JWK;
  /** Signs a token. By default, it is a token of alice. */
  sign(claims?: JWTPayload, header?: { readonly kid?: string }): Promise<string>;
}

/** A new key for an algorithm. Without `kid`, its tokens have no `kid`. */
export async function newKey(alg: string, kid?: string): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const named = kid === undefined ? {} : { kid };
  return {
    privateKey,
    publicKey,
    jwk: { ...(await exportJWK(publicKey)), ...named, alg },
    sign: (claims = {}, header = named) =>
      new SignJWT({ sub: 'alice', ...claims }).setProtectedHeader({ alg, ...header }).sign(privateKey),
  };
}

export interface Issuer {
  /** The settings of a server that fetches this issuer's keys. */
  readonly env: Readonly<Record<'JWT_SECRET' | 'JWKS_URL', string>>;
  /** The published keys. While `failure` is set, the issuer answers with it instead. */
  readonly keys: JWK[];
  failure: { readonly status: number; readonly body: string } | 'silence' | undefined;
  /** How often the keys have been fetched. */
  fetches: number;
}

/** Starts a server that publishes keys, until the test or file has ended. */
export async function startIssuer(...keys: JWK[]): Promise<Issuer> {
  const { url } = await startHttpServer((_request, response) => {
    issuer.fetches += 1;
    if (issuer.failure === 'silence') return;
    const { status, body } = issuer.failure ?? { status: 200, body: JSON.stringify({ keys }) };
    response.writeHead(status).end(body);
  });
  const env = { JWT_SECRET: '', JWKS_URL: `${url}/keys` };
  const issuer: Issuer = { env, keys, failure: undefined, fetches: 0 };
  return issuer;
}
