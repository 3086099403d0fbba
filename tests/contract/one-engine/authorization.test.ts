import { describe, expect } from 'vitest';
import { Client } from '../../support/client.ts';
import { operationIds, requests, searchOf, userOperationIds } from '../../support/requests.ts';
import { sharedServer, startTestServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';
import { tokenFor } from '../../support/tokens.ts';

const server = sharedServer();
const anonymous = await server.as();
const alice = await server.as('alice');

describe.each(userOperationIds)('%s', (operation) => {
  spec(operation, 401, 'is refused without a token, whatever else is wrong with the request', async () => {
    const { body, headers } = await anonymous.fails(operation, 401, { id: 'nowhere', query: 'foo=1' });

    expect(body).toMatchObject({ code: 'Unauthorized', error: 'Unauthorized', status: 401 });
    expect(headers.get('WWW-Authenticate')).toBe('Bearer');
  });
});

describe.each(operationIds)('%s', (operation) => {
  spec(operation, 400, 'is refused with an unknown query parameter, which is named', async () => {
    const query = `${searchOf(operation).slice(1)}&constructor=1`;

    const { body } = await alice.fails(operation, 400, { ...requests[operation], query });

    expect(body.errors).toMatchObject([{ pointer: '/query/constructor', code: 'unknown' }]);
    expect(body.detail).toContain('"constructor" is not known; th');
  });
});

const now = (): number => Math.floor(Date.now() / 1000);
const otherKey = 'another secret of 32 bytes or even more';

/** Invalid tokens, by what is wrong with them. */
const invalid: Readonly<Record<string, () => string | Promise<string>>> = {
  nonsense: () => 'nonsense',
  'another key': () => tokenFor('alice', {}, otherKey),
  'an expired token of another key': () => tokenFor('alice', { exp: now() - 60 }, otherKey),
  'a token that is not valid yet': () => tokenFor('alice', { nbf: now() + 60 }),
  'an unsigned token': () => `${base64({ alg: 'none' })}.${base64({ sub: 'alice' })}.`,
  'no subject': () => tokenFor('alice', { sub: undefined }),
  'a blank subject': () => tokenFor(' '),
  'a subject that cannot be stored': () => tokenFor('a\0b'),
  'a subject that is too long': () => tokenFor('x'.repeat(256)),
  'a cut token': async () => (await server.token('alice')).slice(0, -2),
  'the signature of another token': async () => {
    const [header, , signature] = (await server.token('mallory')).split('.');
    return [header, base64({ sub: server.userId('alice'), name: 'Alice' }), signature].join('.');
  },
};

describe.each(Object.entries(invalid))('%s', (_name, token) => {
  spec('listTasks', 401, 'is refused as a token that is not valid', async () => {
    const { headers, body } = await new Client(server, await token()).fails('listTasks', 401);

    expect(headers.get('WWW-Authenticate')).toMatch(
      /^Bearer error="invalid_token", error_description="[^"\\]+"$/,
    );
    expect(body.errors?.map(({ code }) => code)).toEqual(['invalid']);
  });
});

describe.each(['token', 'Basic YWxpY2U6c2VjcmV0', 'Bearer ', 'Bearer a b'])('Authorization: %s', (header) => {
  spec('listTasks', 401, 'is refused like a request without a token', async () => {
    const answer = await anonymous.fails('listTasks', 401, { headers: { Authorization: header } });

    expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer');
    expect(answer.body.errors).toBeUndefined();
  });
});

spec('listTasks', 401, 'an expired token is distinguished from an invalid one', async () => {
  const expired = new Client(server, await tokenFor('alice', { exp: now() - 60 }));

  const { body, headers } = await expired.fails('listTasks', 401);

  const detail = 'The header parameter "authorization" has a token that has expired.';
  expect(body.errors).toEqual([{ pointer: '/header/authorization', code: 'expired', detail }]);
  expect(headers.get('WWW-Authenticate')).toBe(
    'Bearer error="invalid_token", error_description="The token has expired. Send a new one."',
  );
});

spec('listTasks', 200, 'a token may have a lower-case scheme, or expire within the clock skew', async () => {
  const expired = await tokenFor('alice', { exp: now() - 1 });

  for (const Authorization of [`bearer ${await server.token('alice')}`, `Bearer ${expired}`])
    await anonymous.ok('listTasks', { headers: { Authorization } });
});

spec('getMe', 200, 'is the user of the token, with its expiry and the limits by the minute', async () => {
  const exp = now() + 600;
  const limited = await startTestServer({
    changes: { agents: { limits: { requestsPerCaller: 600, runsPerCaller: 7, runsPerAgent: 0 } } },
  });
  const client = new Client(limited, await tokenFor('alice', { name: 'Alice', exp }));

  const { body } = await client.ok('getMe');

  expect(body).toEqual({
    id: 'alice',
    name: 'Alice',
    token_expires_at: new Date(exp * 1000).toISOString(),
    limits_per_minute: { requests: 600, runs: 7, runs_per_agent: null },
  });
});

spec('getMe', 200, 'has no expiry if the token has none, and none after the year 9999', async () => {
  const expiryOf = async (claims: Record<string, unknown>): Promise<unknown> =>
    (await new Client(server, await tokenFor('alice', claims)).ok('getMe')).body.token_expires_at;

  expect(await expiryOf({ exp: undefined })).toBeNull();
  expect(await expiryOf({ exp: 1e15 })).toBe('9999-12-31T00:00:00.000Z');
});

function base64(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
