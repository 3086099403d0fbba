import { execFileSync } from 'node:child_process';
import { readdir, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Client } from '../../support/client.ts';
import { createFolder } from '../../support/folder.ts';
import { startDemo } from '../../support/process.ts';

let demo: Awaited<ReturnType<typeof startDemo>>;
let alice: Client;

const folder = await createFolder();
// A damaged file of an earlier start has no effect.
const file = join(folder, 'demo-database.tar');
execFileSync('tar', ['-cf', file, 'package-lock.json']);
await truncate(file, 10_000);
await restart();

afterAll(async () => {
  await demo.stop('SIGTERM');
});

async function restart(): Promise<void> {
  demo = await startDemo({
    DATA_DIR: folder,
    // A demo must not use these settings.
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    JWKS_URL: 'http://127.0.0.1:1/keys',
    MCP_SKILL_FILES_URL: 'http://127.0.0.1:1/mcp',
  });
  alice = new Client(demo, demo.token);
}

async function countOfTasks(client: Client): Promise<number> {
  return (await client.ok('listTasks', { query: 'limit=0' })).body.count;
}

describe('a demo', () => {
  it('leaves a configured database alone, and has two users with tasks in several states', async () => {
    const bob = new Client(demo, /^ +bob +(\S+)$/m.exec(demo.output())?.[1]);

    const { body } = await alice.ok('listTasks');

    expect(body.count + (await countOfTasks(bob))).toBe(40);
    expect(new Set(body.tasks.map(({ status }) => status)).size).toBe(5);
    const now = new Date().toISOString();
    expect(body.tasks.some(({ due_date: date }) => date !== null && date < now)).toBe(true);
  });

  it('prints its tokens without the log of the requests that fill it', () => {
    expect(demo.output()).not.toContain('createTask');
  });

  it('has an agent and a session with a chart', async () => {
    expect((await alice.ok('listAgents')).body.agents.map(({ name }) => name)).toEqual(['Planner']);
    await expect
      .poll(async () => (await alice.ok('getSession', { id: 'demo' })).body.run?.status)
      .toBe('completed');

    const { messages } = (await alice.ok('listMessages', { id: 'demo' })).body;
    const attachments = messages.flatMap(({ attachments: own }) => own ?? []);
    expect(attachments.map(({ media_type: type }) => type)).toEqual(['image/png']);
  });

  it.each([
    ['http://localhost:5173', true],
    ['http://localhost:61234', true],
    ['https://127.0.0.1:8443', true],
    ['http://[::1]:3001', true],
    ['http://localhost', true],
    ['http://localhost.example.com:5173', false],
    ['http://example.com:5173', false],
    ['http://localhost:*.example.com', false],
  ])('allows pages of this machine on any port: %s %s', async (origin, isAllowed) => {
    const { headers } = await fetch(`${demo.url}/api/tasks`, { headers: { Origin: origin } });

    expect(headers.get('Access-Control-Allow-Origin')).toBe(isAllowed ? origin : null);
  });

  it('has no MCP servers as skills', async () => {
    const { body } = await alice.ok('listRuntimes');

    expect(body.skills.map(({ name }) => name)).toEqual(['tasks', 'tasks:read', 'viz']);
  });

  it('has its first tasks again after a restart, and refuses earlier tokens', async () => {
    const earlier = demo.token;
    expect(await readdir(folder)).toEqual(['demo-database.tar']);
    await alice.ok('createTask', { body: { title: 'Gone' } });
    expect(await countOfTasks(alice)).toBe(40);
    await demo.stop('SIGTERM');

    await restart();

    expect(await countOfTasks(alice)).toBe(39);
    await new Client(demo, earlier).fails('getMe', 401);
  });
});
