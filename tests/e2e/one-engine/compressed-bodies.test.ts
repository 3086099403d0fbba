import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { startProcess } from '../../support/process.ts';
import { createDatabase } from '../../support/server.ts';
import { secret, tokenFor } from '../../support/tokens.ts';

const { env } = await createDatabase();
const server = await startProcess({ ...env, JWT_SECRET: secret, LOG_LEVEL: 'silent' });

/** Sends a compressed body for a chart. Resolves to the status. */
async function send(token: string, body: Buffer): Promise<number> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Encoding': 'gzip' };
  const response = await fetch(`${server.url}/api/v1/viz/render/svg`, { method: 'POST', headers, body });
  await response.arrayBuffer();
  return response.status;
}

// `npm run faults -- fairness` sends compressed bodies that need much memory.
it('the compressed bodies of a caller do not wait for all those of another caller', async () => {
  // The server takes some hundredths of a second to parse so many keys.
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
