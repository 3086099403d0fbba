import { expect } from 'vitest';
import { Client } from '../../support/client.ts';
import { sharedServer, startTestServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';
import { tokenFor } from '../../support/tokens.ts';

const exp = Math.floor(Date.now() / 1000) + 600;

spec('getMe', 200, 'is the user of the token, with its expiry and the limits by the minute', async () => {
  const server = await startTestServer({
    changes: { agents: { limits: { requestsPerCaller: 600, runsPerCaller: 7, runsPerAgent: 0 } } },
  });
  const client = new Client(server, await tokenFor('alice', { name: 'Alice', exp }));

  const { body } = await client.ok('getMe');

  expect(body).toEqual({
    id: 'alice',
    name: 'Alice',
    token_expires_at: new Date(exp * 1000).toISOString(),
    limits_per_minute: { requests: 600, runs: 7, runs_per_agent: null },
  });
});

spec(
  'getMe',
  200,
  'has no expiry if the token does not expire, and a late one at most in the year 9999',
  async () => {
    const server = sharedServer();
    const of = async (claims: Record<string, unknown>): Promise<unknown> =>
      (await new Client(server, await tokenFor('alice', claims)).ok('getMe')).body.token_expires_at;

    expect(await of({ exp: undefined })).toBeNull();
    expect(await of({ exp: 1e15 })).toBe('9999-12-31T00:00:00.000Z');
  },
);

spec('getMe', 401, 'needs a token', async () => {
  await new Client(sharedServer(), undefined).fails('getMe', 401);
});
