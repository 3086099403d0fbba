import { join } from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { createAgent } from '../../support/agents.ts';
import { createFolder } from '../../support/folder.ts';
import { freePort } from '../../support/free-port.ts';
import { sharedServer } from '../../support/server.ts';

const script = join(import.meta.dirname, '../../../scripts/mcp-journey.ts');
const server = sharedServer();

it('the journey of an assistant takes every step of the script', async () => {
  const folder = await createFolder();
  await createAgent(await server.as('traveller'));
  const env = { ...process.env, TOKEN: await server.token('traveller') };

  const { stdout } = await promisify(execFile)(process.execPath, [script, server.url], { cwd: folder, env });

  expect(stdout).toMatch(/^\d+ tools: list_tasks, /);
  expect(stdout.split('\n').slice(1)).toEqual([
    'created: Buy milk',
    'audit log: create, update, update, comment',
    'chart: chart.png',
    'Planner: completed',
    '',
  ]);
});

it('the journey without a server or a token says in one sentence what to do', async () => {
  const url = `http://127.0.0.1:${await freePort()}`;
  const journey = (TOKEN: string | undefined) =>
    promisify(execFile)(process.execPath, [script, url], { env: { ...process.env, TOKEN } });

  await expect(journey('any')).rejects.toMatchObject({
    code: 1,
    stderr: `No server answers at ${url}. Start it with "npm start", or pass its address.\n`,
  });
  await expect(journey(undefined)).rejects.toMatchObject({
    code: 1,
    stderr: 'Set TOKEN to a token, such as $(npm run --silent token -- --user alice).\n',
  });
});
