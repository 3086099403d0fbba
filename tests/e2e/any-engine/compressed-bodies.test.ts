import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { startProcess } from '../../support/process.ts';
import { createDatabase, startTestServer } from '../../support/server.ts';
import { secret, tokenFor } from '../../support/tokens.ts';

const mebibyte = 2 ** 20;
const key = 'k'.repeat(1000 * 1024);

const database = await createDatabase();
const server = await startProcess({
  ...database.env,
  JWT_SECRET: secret,
  LOG_LEVEL: 'silent',
  NODE_OPTIONS: '--max-old-space-size=192',
});

it.each([
  ['a megabyte of empty objects', `{"title":"x","ignored":[${'{},'.repeat(mebibyte / 3 - 20)}{}]}`],
  ['a megabyte of points without values', `{"data":[${'{},'.repeat(mebibyte / 3 - 20)}{}]}`],
  ['a hundred texts that cannot be stored, under a key of a megabyte', unstorable()],
])('a server with a heap of 192 MiB survives 300 compressed bodies of %s', async (_what, json) => {
  const body = gzipSync(json);
  const path = json.startsWith('{"data"') ? '/api/v1/viz/render/svg' : '/api/tasks';
  const tokens = await Promise.all(['alice', 'bob', 'carol', 'dave'].map((user) => tokenFor(user)));
  let sent = 0;
  const send = async (token: string): Promise<void> => {
    while (sent++ < 300) {
      const response = await fetch(`${server.url}${path}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Encoding': 'gzip' },
        body,
      });
      await response.arrayBuffer();
      expect([400, 503]).toContain(response.status);
    }
  };

  await Promise.all(tokens.flatMap((token) => Array.from({ length: 75 }, () => send(token))));

  expect((await (await server.as('erin')).ok('listTasks')).body.count).toBe(0);
});

it('the compressed bodies of a caller do not wait for all those of another caller', async () => {
  const lines: string[] = [];
  const inProcess = await startTestServer({ log: lines });
  // Parsing so many keys takes a tenth of a second. On a slow machine, the last bodies of Alice wait too long (503).
  const keys = Array.from({ length: 90_000 }, (_, n) => [`k${n}`, 0]);
  const body = gzipSync(JSON.stringify({ x: Object.fromEntries(keys) as unknown }));
  const [alice, bob] = [await tokenFor('alice'), await tokenFor('bob')];
  const send = async (token: string): Promise<number> => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Encoding': 'gzip' };
    return (await fetch(`${inProcess.url}/api/v1/viz/render/svg`, { method: 'POST', headers, body })).status;
  };

  const before = Array.from({ length: 30 }, () => send(alice));
  await Promise.race(before);
  const [ofBob, ...ofAlice] = await Promise.all([send(bob), ...before]);

  const drawing = lines.filter((line) => line.includes('"operation":"renderSvg"'));
  const order = drawing.map((line) => (JSON.parse(line) as { readonly user: string }).user);
  expect([order.length, ofBob, [400, 503]]).toEqual([31, 400, expect.arrayContaining(ofAlice)]);
  expect(order.indexOf(inProcess.userId('bob'))).toBeLessThan(30);
});

function unstorable(): string {
  return JSON.stringify({ ignored: { [key]: Array.from({ length: 100 }, () => '\0') } });
}
