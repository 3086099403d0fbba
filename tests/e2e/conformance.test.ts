import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runConformance } from '../support/conformance.ts';
import { createFolder } from '../support/folder.ts';
import { startTestServer } from '../support/server.ts';
import { startSpoilingProxy } from '../support/spoiling-proxy.ts';

it('the server conforms, and keeps none of the tasks, through a proxy that changes nothing', async () => {
  const server = await startTestServer();
  const [alice, bob] = [await server.token('alice'), await server.token('bob')];
  // The proxy of the broken servers, which changes nothing here.
  const url = await startSpoilingProxy(server.url, {});
  const junit = join(await createFolder(), 'junit.xml');

  const { code, output } = await runConformance({ url, tokens: [alice, bob], junit });

  expect(code, output).toBe(0);
  expect(output).toMatch(/^createTask +seen 201 400 401 413 415 422 +not seen 500 503$/m);
  expect(await readFile(junit, 'utf8')).toMatch(
    /<testsuites name="[^"]*" tests="\d{3}" failures="0" errors="0"/,
  );
  const client = await server.as('alice');
  expect((await client.ok('listTasks', { query: 'limit=0' })).body.count).toBe(0);
});
