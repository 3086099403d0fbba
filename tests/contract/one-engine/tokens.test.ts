import { createSign, generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { exportSPKI } from 'jose';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { Client } from '../../support/client.ts';
import { createFolder } from '../../support/folder.ts';
import { startHttpServer } from '../../support/http-server.ts';
import { type Issuer, type Key, newKey, startIssuer } from '../../support/issuer.ts';
import { metricOf } from '../../support/metrics.ts';
import { startTestServer, type TestServer, type TestServerOptions } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';
import { tokenFor } from '../../support/tokens.ts';

const algorithms = ['RS256', 'ES256', 'EdDSA'];

/** A server with configured keys, and a function that returns a client for a token. */
async function serverWith(env: Record<string, string>, options: TestServerOptions = {}) {
  const server = await startTestServer({ ...options, env: { JWT_SECRET: '', ...env } });
  return (token: string) => new Client(server, token);
}

const longAgo = 1_000_000_000;

describe.each(['a file', 'an issuer'])('the key set of %s', (place) => {
  let keys: readonly Key[];
  let clientOf: (token: string) => Client;

  beforeAll(async () => {
    keys = await Promise.all(algorithms.map((alg) => newKey(alg, `the-${alg}`)));
    const jwks = keys.map(({ jwk }) => jwk);
    const file = join(await createFolder(), 'keys.json');
    await writeFile(file, JSON.stringify({ keys: jwks }));
    const ofFile = { JWKS_URL: pathToFileURL(file).href };
    clientOf = await serverWith(place === 'a file' ? ofFile : (await startIssuer(...jwks)).env);
  });

  spec('listTasks', 200, 'verifies a token by the key that signed it, even without its kid', async () => {
    for (const key of keys)
      for (const header of [undefined, {}]) await clientOf(await key.sign({}, header)).ok('listTasks');
  });

  describe.each(algorithms)('for %s', (alg) => {
    spec('listTasks', 401, 'refuses a token of another key of this algorithm, whatever its kid', async () => {
      const other = await newKey(alg);

      for (const kid of [`the-${alg}`, 'unknown', '../../etc/passwd', 'http://127.0.0.1/', undefined])
        await clientOf(await other.sign({}, kid === undefined ? {} : { kid })).fails('listTasks', 401);
    });
  });

  spec('listTasks', 401, 'refuses a token signed with public keys as a shared secret', async () => {
    const pems = await Promise.all(keys.map(({ publicKey }) => exportSPKI(publicKey)));

    for (const pem of [...pems, pems.join('\n')])
      for (const secret of [pem, pem.trim()])
        await clientOf(await tokenFor('alice', {}, secret)).fails('listTasks', 401);
  });
});

describe('an RSA key of 1024 bits', () => {
  const short = generateKeyPairSync('rsa', { modulusLength: 1024 });

  spec('listTasks', 401, 'in a key set makes its tokens invalid, and the log says why', async () => {
    const log: string[] = [];
    const good = await newKey('RS256', 'good');
    const { env } = await startIssuer(
      { ...short.publicKey.export({ format: 'jwk' }), kid: 'short' },
      good.jwk,
    );
    const clientOf = await serverWith(env, { log });
    // Signed by hand, because jose refuses such a key.
    const content = [{ alg: 'RS256', kid: 'short' }, { sub: 'alice' }]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    const signature = createSign('RSA-SHA256').update(content).sign(short.privateKey, 'base64url');

    await clientOf(`${content}.${signature}`).fails('listTasks', 401);
    await clientOf(await good.sign()).ok('listTasks');

    expect(log.join('')).toMatch(/"refusal":{"reason":"[^"]*2048 bits/);
  });
});

describe('JWT_SECRET', () => {
  const [previous, current, unknown] = ['previous.', 'current.', 'unknown.'].map((name) => name.repeat(4));
  let clientOf: (token: string) => Client;

  beforeAll(async () => {
    clientOf = await serverWith({ JWT_SECRET: `${current}\\n${previous}` });
  });

  spec('listTasks', 200, 'with two secrets accepts tokens of both', async () => {
    for (const secret of [previous, current])
      await clientOf(await tokenFor('alice', {}, secret)).ok('listTasks');

    for (const token of [tokenFor('alice', {}, unknown), tokenFor('alice', { exp: longAgo }, previous)])
      await clientOf(await token).fails('listTasks', 401);
  });

  spec('listTasks', 401, 'refuses a token that it accepted after the token has expired', async () => {
    // Clocks may differ by five seconds.
    const exp = Math.floor(Date.now() / 1000) - 3;
    const client = clientOf(await tokenFor('alice', { exp }, current));
    await client.ok('listTasks');

    await expect.poll(async () => (await client.send('listTasks')).status).toBe(401);
  });
});

/** Starts an issuer with one key, and a server that trusts it. */
async function startWithIssuer(
  failure?: Issuer['failure'],
): Promise<{ issuer: Issuer; key: Key; server: TestServer; log: string[] }> {
  const key = await newKey('ES256', 'the-key');
  const [issuer, log]: [Issuer, string[]] = [await startIssuer(key.jwk), []];
  issuer.failure = failure;
  return { issuer, key, log, server: await startTestServer({ env: issuer.env, log }) };
}

async function readiness({ url }: TestServer): Promise<string> {
  return (await fetch(`${url}/readyz`)).text();
}

spec('listTasks', 503, 'has Retry-After until the keys of a failing issuer can be fetched', async () => {
  const { issuer, key, server, log } = await startWithIssuer({ status: 500, body: '{}' });
  const alice = new Client(server, await key.sign());

  const answers = [await alice.fails('listTasks', 503), await alice.fails('listTasks', 503)];
  expect(await readiness(server)).toBe('The keys at JWKS_URL cannot be fetched.\n');
  issuer.failure = undefined;
  await expect.poll(async () => (await alice.send('listTasks')).status).toBe(200);
  await expect.poll(() => readiness(server)).toBe('ready\n');

  for (const { body: problem, headers } of answers) {
    expect(problem.detail).toMatch(/^The keys that tokens are verified with cannot be fetched\. /);
    expect(headers.get('Retry-After')).toBe('5');
  }
  const messages = log.map((line) => (JSON.parse(line) as { msg?: string }).msg ?? '');
  expect(messages.filter((message) => message.includes('keys of the issuer'))).toEqual([
    'the keys of the issuer cannot be fetched; those that were fetched stay valid for an hour',
    'the keys of the issuer can be fetched again',
  ]);
});

it('/readyz does not wait until the fetch of keys from a silent issuer has failed', async () => {
  let pending = 0;
  const { url } = await startHttpServer((_request, response) => {
    pending += 1;
    response.on('close', () => (pending -= 1));
  });
  const server = await startTestServer({ env: { JWT_SECRET: '', JWKS_URL: url } });
  const answerTwice = async () => [await readiness(server), await readiness(server), pending];

  const answer = 'The keys at JWKS_URL cannot be fetched.\n';
  await expect.poll(answerTwice, { timeout: 20_000 }).toEqual([answer, answer, 1]);
});

describe('stale keys of an issuer', () => {
  afterEach(() => vi.useRealTimers());

  it('leave the server ready while the issuer is silent', async () => {
    const { issuer, key, server } = await startWithIssuer();
    await new Client(server, await key.sign()).ok('listTasks');
    issuer.failure = 'silence';
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });

    await expect.poll(() => readiness(server).then(() => issuer.fetches)).toBe(2);
    expect(await readiness(server)).toBe('ready\n');
  });

  it('are reported by /metrics and the log', async () => {
    const { issuer, key, server, log } = await startWithIssuer();
    await new Client(server, await key.sign({ jti: '1' })).ok('listTasks');
    issuer.failure = { status: 500, body: '' };
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10 * 60_000 });

    await new Client(server, await key.sign({ jti: '2' })).ok('listTasks');

    const failures = () => log.filter((line) => line.includes('the keys of the issuer cannot be fetched'));
    // The probe fetches the keys again, at most once a second.
    await expect.poll(() => readiness(server).then(failures)).toHaveLength(1);
    expect(await readiness(server)).toBe('ready\n');
    expect(Math.floor((await metricOf(server, 'token_keys_age_seconds')) / 10)).toBe(60);
    expect(failures()).toHaveLength(1);
  });
});
