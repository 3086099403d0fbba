import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { startProcess } from '../../support/process.ts';
import { createDatabase } from '../../support/server.ts';
import { secret, tokenFor } from '../../support/tokens.ts';

const mebibyte = 2 ** 20;

const database = await createDatabase();
const server = await startProcess({
  ...database.env,
  JWT_SECRET: secret,
  LOG_LEVEL: 'silent',
  NODE_OPTIONS: '--max-old-space-size=192',
});

/** Sends a compressed body for a chart. Resolves to the status. */
async function send(token: string, body: Buffer): Promise<number> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Encoding': 'gzip' };
  const response = await fetch(`${server.url}/api/v1/viz/render/svg`, { method: 'POST', headers, body });
  await response.arrayBuffer();
  return response.status;
}

// `npm run faults -- fairness` sends compressed bodies of other kinds.
it('a server with a heap of 192 MiB survives 300 compressed bodies of a megabyte of points without values', async () => {
  const body = gzipSync(`{"data":[${'{},'.repeat(mebibyte / 3 - 20)}{}]}`);
  const tokens = await Promise.all(['alice', 'bob', 'carol', 'dave'].map((user) => tokenFor(user)));
  let sent = 0;
  const sendUntilDone = async (token: string): Promise<void> => {
    while (sent++ < 300) expect([400, 503]).toContain(await send(token, body));
  };

  await Promise.all(tokens.flatMap((token) => Array.from({ length: 75 }, () => sendUntilDone(token))));

  expect((await (await server.as('erin')).ok('listTasks')).body.count).toBe(0);
});

it('the compressed bodies of a caller do not wait for all those of another caller', async () => {
  // The server parses so many keys for some hundredths of a second.
  const keys = Array.from({ length: 45_000 }, (_, n) => [`k${n}`, 0]);
  const body = gzipSync(JSON.stringify({ x: Object.fromEntries(keys) as unknown }));
  const [alice, bob] = [await tokenFor('alice'), await tokenFor('bob')];
  const ofAlice: number[] = [];

  const sent = Array.from({ length: 30 }, async () => ofAlice.push(await send(alice, body)));
  await Promise.race(sent);
  const ofBob = await send(bob, body);

  expect(ofBob).toBe(400);
  expect(ofAlice.length).toBeLessThan(30);
  await Promise.all(sent);
  expect([400, 503]).toEqual(expect.arrayContaining(ofAlice));
});
