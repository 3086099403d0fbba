import { createServer, type Server } from 'node:http';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { Client } from '../../support/client.ts';
import { listen } from '../../support/listen.ts';
import { startTestServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';
import { tokenFor } from '../../support/tokens.ts';

type Algorithm = 'RS256' | 'ES256' | 'EdDSA';
type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>;

const algorithms: readonly Algorithm[] = ['RS256', 'ES256', 'EdDSA'];

/** A server that verifies with a key it is given by its configuration. */
async function serverWith(env: Record<string, string>): Promise<(token: string) => Client> {
  const server = await startTestServer({ env: { JWT_SECRET: '', ...env } });
  return (token) => new Client(server, token);
}

function sign(
  alg: string,
  key: KeyPair['privateKey'] | Uint8Array,
  claims: JWTPayload = {},
): Promise<string> {
  return new SignJWT({ sub: 'alice', ...claims }).setProtectedHeader({ alg, kid: 'the-key' }).sign(key);
}

describe.each(algorithms)('JWT_PUBLIC_KEY for %s', (alg) => {
  let pair: KeyPair;
  let pem: string;
  let clientOf: (token: string) => Client;

  beforeAll(async () => {
    pair = await generateKeyPair(alg, { extractable: true });
    pem = await exportSPKI(pair.publicKey);
    // Environment files hold the key on one line.
    clientOf = await serverWith({ JWT_PUBLIC_KEY: pem.replaceAll('\n', '\\n') });
  });

  spec('listTasks', 200, 'accepts a token that its private key signed', async () => {
    await clientOf(await sign(alg, pair.privateKey)).ok('listTasks');
  });

  spec('listTasks', 401, 'refuses a token that another key of this algorithm signed', async () => {
    const other = await generateKeyPair(alg);

    await clientOf(await sign(alg, other.privateKey)).fails('listTasks', 401);
  });

  spec(
    'listTasks',
    401,
    'refuses a token signed with the text of the public key as a shared secret',
    async () => {
      const secret = new TextEncoder().encode(pem);

      await clientOf(await sign('HS256', secret)).fails('listTasks', 401);
      await clientOf(await sign('HS256', new TextEncoder().encode(pem.trim()))).fails('listTasks', 401);
    },
  );
});

describe('JWKS_URL', () => {
  let issuer: Server;
  let pairs: Map<Algorithm, KeyPair>;
  let clientOf: (token: string) => Client;

  beforeAll(async () => {
    pairs = new Map(
      await Promise.all(algorithms.map(async (alg) => [alg, await generateKeyPair(alg)] as const)),
    );
    const keys = await Promise.all(
      [...pairs].map(async ([alg, { publicKey }]) => ({ ...(await exportJWK(publicKey)), kid: alg, alg })),
    );
    issuer = createServer((_request, response) => response.end(JSON.stringify({ keys })));
    const port = await listen(issuer);
    clientOf = await serverWith({ JWKS_URL: `http://127.0.0.1:${port}/keys` });
  });

  afterAll(() => {
    issuer.close();
  });

  describe.each(algorithms)('with a key for %s', (alg) => {
    spec('listTasks', 200, 'accepts a token that the key signed', async () => {
      const { privateKey } = pairs.get(alg) ?? (await generateKeyPair(alg));
      const token = await new SignJWT({ sub: 'alice' })
        .setProtectedHeader({ alg, kid: alg })
        .sign(privateKey);

      await clientOf(token).ok('listTasks');
    });
  });

  describe.each(['unknown', '../../etc/passwd', 'http://127.0.0.1/'])('with the key id %s', (kid) => {
    spec('listTasks', 401, 'refuses the token', async () => {
      const { privateKey } = await generateKeyPair('ES256');
      const token = await new SignJWT({ sub: 'alice' })
        .setProtectedHeader({ alg: 'ES256', kid })
        .sign(privateKey);

      await clientOf(token).fails('listTasks', 401);
    });
  });

  spec('listTasks', 401, 'refuses a token signed with a shared secret', async () => {
    await clientOf(await tokenFor('alice')).fails('listTasks', 401);
  });
});

describe.each([
  ['fails', 500, '{}'],
  ['returns HTML', 200, '<html>'],
  ['returns JSON without keys', 200, '{"keys":1}'],
])('JWKS_URL whose server %s', (_what, status, body) => {
  const lines: string[] = [];
  let isMended = false;
  let issuer: Server;
  let alice: Client;

  beforeAll(async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256');
    const keys = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'the-key' }] });
    issuer = createServer((_request, response) =>
      response.writeHead(isMended ? 200 : status).end(isMended ? keys : body),
    );
    const env = { JWT_SECRET: '', JWKS_URL: `http://127.0.0.1:${await listen(issuer)}/keys` };
    const server = await startTestServer({ env, log: lines });
    alice = new Client(server, await sign('ES256', privateKey));
  });

  afterAll(() => {
    issuer.close();
  });

  spec('listTasks', 503, 'is a 503 with Retry-After until the keys can be fetched', async () => {
    const answers = [await alice.fails('listTasks', 503), await alice.fails('listTasks', 503)];
    isMended = true;
    await expect.poll(async () => (await alice.send('listTasks')).status).toBe(200);

    for (const { body: problem, headers } of answers) {
      expect(problem.detail).toMatch(/^The keys that tokens are verified with cannot be fetched\. /);
      expect(headers.get('Retry-After')).toBe('5');
    }
    expect(
      lines
        .map((line) => messageOf(line))
        .filter((message) => String(message).includes('keys of the issuer')),
    ).toEqual([
      'the keys of the issuer cannot be fetched; those that were fetched stay valid for JWKS_STALE_MS',
      'the keys of the issuer can be fetched again',
    ]);
  });
});

describe('JWT_ISSUER and JWT_AUDIENCE', () => {
  const secret = 'the secret of this issuer, 32 bytes or more';
  let clientOf: (token: string) => Client;

  beforeAll(async () => {
    clientOf = await serverWith({
      JWT_SECRET: secret,
      JWT_ISSUER: 'https://issuer',
      JWT_AUDIENCE: 'worktable',
    });
  });

  spec('listTasks', 200, 'accept a token with both claims', async () => {
    const claims = { iss: 'https://issuer', aud: ['other', 'worktable'] };

    await clientOf(await tokenFor('alice', claims, secret)).ok('listTasks');
  });

  describe.each([
    {},
    { iss: 'https://issuer' },
    { aud: 'worktable' },
    { iss: 'https://elsewhere', aud: 'worktable' },
    { iss: 'https://issuer', aud: 'other' },
  ])('in a token with the claims %j', (claims) => {
    spec('listTasks', 401, 'refuse the token', async () => {
      await clientOf(await tokenFor('alice', claims, secret)).fails('listTasks', 401);
    });
  });
});

spec('listTasks', 401, 'a token that was accepted is refused after it has expired', async () => {
  const client = (await serverWith({ JWT_SECRET: 'a secret that is long enough for HS256' }))(
    await tokenFor(
      'alice',
      { exp: Math.floor(Date.now() / 1000) + 1 },
      'a secret that is long enough for HS256',
    ),
  );
  await client.ok('listTasks');

  await expect.poll(async () => (await client.send('listTasks')).status).toBe(401);
});

function messageOf(line: string): unknown {
  return (JSON.parse(line) as { msg: unknown }).msg;
}
