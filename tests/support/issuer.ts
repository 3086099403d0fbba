import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK, type JWTPayload } from 'jose';
import { cleanUpAfter } from './cleanup.ts';
import { listen } from './listen.ts';

export interface Key {
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  /** The public key, as an issuer publishes it. */
  readonly jwk: JWK;
  /** A token of alice, or of the claims, that the key has signed. */
  sign(claims?: JWTPayload, header?: { readonly kid?: string }): Promise<string>;
}

/** A new key of an algorithm. Without a name, its tokens have no `kid`. */
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
  /** The settings of a server that fetches the keys of the issuer. */
  readonly env: Readonly<Record<'JWT_SECRET' | 'JWKS_URL', string>>;
  /** The published keys; an issuer with a failure answers with it instead. */
  readonly keys: JWK[];
  failure: { readonly status: number; readonly body: string } | undefined;
}

/** Starts a server that publishes keys, until the test or the file has ended. */
export async function startIssuer(...keys: JWK[]): Promise<Issuer> {
  const server = createServer((_request, response) => {
    const { status, body } = issuer.failure ?? { status: 200, body: JSON.stringify({ keys }) };
    response.writeHead(status).end(body);
  });
  const JWKS_URL = `http://127.0.0.1:${await listen(server)}/keys`;
  const issuer: Issuer = { env: { JWT_SECRET: '', JWKS_URL }, keys, failure: undefined };
  cleanUpAfter(() => server.close());
  return issuer;
}
