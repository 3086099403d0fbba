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

spec('getMe', 200, 'has no expiry if the token has none, and none after the year 9999', async () => {
  const expiryOf = async (claims: Record<string, unknown>): Promise<unknown> =>
    (await new Client(sharedServer(), await tokenFor('alice', claims)).ok('getMe')).body.token_expires_at;

  expect(await expiryOf({ exp: undefined })).toBeNull();
  expect(await expiryOf({ exp: 1e15 })).toBe('9999-12-31T00:00:00.000Z');
});
