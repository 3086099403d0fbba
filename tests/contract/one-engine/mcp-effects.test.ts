import { describe, expect, it } from 'vitest';
import type { Schemas } from '../../../server/src/contract/operation.ts';
import { callTool, clientName, connectMcp, message, revisions, sendMcp } from '../../support/mcp.ts';
import { isShareable, sharedServer, startTestServer } from '../../support/server.ts';

const server = sharedServer();

describe.each(revisions)('a change through a tool, in the revision %s', (revision) => {
  it('is in the audit log as a change of the user, with the name of the client', async () => {
    const client = await connectMcp(server, await server.token('auditor'), revision);
    const { fields } = await callTool(client, 'create_task', { title: 'Buy milk' });
    const { id } = fields['task'] as { id: string };
    await callTool(client, 'update_task', { id, status: 'done' });
    await callTool(client, 'assign_task', { id, assignee_id: 'bob' });
    await callTool(client, 'add_comment', { id, body: 'Oat milk, please.' });

    const { body: entries } = await (await server.as('auditor')).ok('listAuditLogs', { id });

    expect(entries.map(({ action }) => action)).toEqual(['create', 'update', 'assign', 'comment']);
    for (const { actor_type, actor_id, payload } of entries) {
      expect({ actor_type, actor_id }).toEqual({ actor_type: 'human', actor_id: server.userId('auditor') });
      expect(JSON.parse(payload)).toMatchObject({ via: 'mcp', client: clientName });
    }
  });

  it('with an idempotency_key that was used is not made again', async () => {
    const client = await connectMcp(server, await server.token(`keyed-${revision}`), revision);
    const values = { title: 'Once', idempotency_key: 'the key' };

    const first = await callTool(client, 'create_task', values);
    const again = await callTool(client, 'create_task', values);
    const other = await callTool(client, 'create_task', { ...values, title: 'Twice' });

    expect(again.fields).toEqual(first.fields);
    expect(other).toMatchObject({ isError: true, text: expect.stringContaining('was used for a different') });
  });

  it('with the if_match of an earlier version is refused', async () => {
    const client = await connectMcp(server, await server.token('matching'), revision);
    const { fields } = await callTool(client, 'create_task', { title: 'Versioned' });
    const { id, etag } = fields['task'] as Schemas['Task'];
    const changed = await callTool(client, 'update_task', { id, title: 'Two', if_match: etag });
    const { etag: second } = changed.fields['task'] as Schemas['Task'];

    const refused = await callTool(client, 'update_task', { id, title: 'Three', if_match: etag });
    const bare = second.replaceAll('"', '');
    const unquoted = await callTool(client, 'update_task', { id, title: 'Three', if_match: bare });

    expect(changed.fields).toMatchObject({ task: { title: 'Two' } });
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('has changed since') });
    expect(unquoted.fields).toMatchObject({ task: { title: 'Three' } });
  });

  it('ignores an argument that is an empty text, and empties the fields that `clear` names', async () => {
    const client = await connectMcp(server, await server.token('emptying'), revision);
    const { fields: created } = await callTool(client, 'create_task', {
      title: 'One',
      tags: 'food',
      priority: 2,
    });
    const { id } = created['task'] as Schemas['Task'];
    const { tools } = await client.listTools();
    const update = async (values: object): Promise<Awaited<ReturnType<typeof callTool>>> =>
      callTool(client, 'update_task', { id, ...values });
    const unset = Object.keys(tools.find(({ name }) => name === 'update_task')?.inputSchema.properties ?? {});

    const changed = await update({
      ...Object.fromEntries(unset.map((name) => [name, ''])),
      id,
      title: 'Two',
    });
    const cleared = await update({ tags: 'fruit', clear: ['tags'] });
    const refused = await update({ clear: ['colour', 'title'] });

    expect(changed.fields).toMatchObject({ task: { title: 'Two', tags: 'food', priority: '2' } });
    expect(cleared.fields['task']).not.toHaveProperty('tags');
    expect(refused.text).toMatch(/^The argument "colour" is not an argument of update_task/);
    expect((await update({ clear: 'title' })).text).toContain('The argument "title"');
  });
});

/** All pages of the list of tasks. */
async function pagesOf(user: string): Promise<Awaited<ReturnType<typeof callTool>>[]> {
  const client = await connectMcp(server, await server.token(user));
  const pages = [await callTool(client, 'list_tasks')];
  for (let cursor = pages[0]?.fields['next_cursor']; cursor !== undefined;) {
    const page = await callTool(client, 'list_tasks', { cursor });
    pages.push(page);
    cursor = page.fields['next_cursor'];
  }
  return pages;
}

const tasksOf = ({ fields }: Awaited<ReturnType<typeof callTool>>) => fields['tasks'] as Schemas['Task'][];

describe('a list', () => {
  it('has 20 entries, and a cursor with which all others are reached', async () => {
    const alice = await server.as('lister');
    const titles = Array.from({ length: 45 }, (_, i) => `Task ${i}`);
    for (const title of titles) await alice.ok('createTask', { body: { title } });

    const pages = (await pagesOf('lister')).map(tasksOf);

    expect(pages.map(({ length }) => length)).toEqual([20, 20, 5]);
    expect(pages.flat().map(({ title }) => title)).toEqual(titles.toReversed());
  });

  it('has shorter texts if its page is too large for one result', async () => {
    const alice = await server.as('hoarder');
    const long = 'ä'.repeat(60_000);
    for (let i = 0; i < 25; i++)
      await alice.ok('createTask', { body: { title: `Large ${i}`, description: long, metadata: long } });

    const pages = await pagesOf('hoarder');

    const tasks = pages.flatMap(tasksOf);
    expect(tasks.map(({ title }) => title)).toEqual(Array.from({ length: 25 }, (_, i) => `Large ${24 - i}`));
    expect(tasks[0]?.description).toMatch(/^ä+… \[cut: the whole text has 60000 characters\]$/);
    for (const { text } of pages) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(64 * 1024);
  });

  it('with too many entries for one result is refused, and the error says what to do', async () => {
    const create = Array.from({ length: 100 }, () => ({ title: 'ä'.repeat(500), tags: 'ä'.repeat(500) }));
    const alice = await server.as('collector');
    for (let i = 0; i < 3; i++) await alice.ok('batchTasks', { body: { create } });
    const client = await connectMcp(server, await server.token('collector'));

    const { isError, text } = await callTool(client, 'list_tasks', { limit: 300 });

    expect(isError).toBe(true);
    expect(text).toMatch(/^The argument "limit" must be smaller/);
    expect((await callTool(client, 'list_tasks', { limit: 20 })).isError).toBe(false);
  });
});

it('the name of a client is in the audit log without characters that no text may have', async () => {
  const token = await server.token('anonymous');
  const call = message('tools/call', { name: 'create_task', arguments: { title: 'Named' } });
  const headers = {
    'MCP-Protocol-Version': '2026-07-28',
    'Mcp-Method': 'tools/call',
    'Mcp-Name': 'create_task',
  };
  await sendMcp(server, call.replace(clientName, `\\u0000${'x'.repeat(98)}😀`), { token, headers });

  const { body } = await (await server.as('anonymous')).ok('listChanges', { query: { after: '0' } });

  expect(body.changes.map(({ payload }) => JSON.parse(payload) as object)).toEqual([
    expect.objectContaining({ client: `${'x'.repeat(98)}\uFFFD` }),
  ]);
});

it.runIf(isShareable).each(revisions)('two servers answer one client in turn, in %s', async (revision) => {
  const first = await startTestServer();
  const second = await startTestServer({ sharing: first });
  const urls = [first.url, second.url];
  let requests = 0;
  // Sends requests to the servers in turn, like a load balancer.
  const alternate: typeof fetch = (_url, init) =>
    fetch(new URL('/mcp', urls[requests++ % 2] ?? first.url), init);
  const client = await connectMcp(first, await first.token('alice'), revision, alternate);

  const created = await callTool(client, 'create_task', { title: 'Shared' });
  const { id } = created.fields['task'] as { id: string };
  const results = [];
  for (let i = 0; i < 4; i++) results.push(await callTool(client, 'get_task', { id }));

  expect(requests).toBeGreaterThan(5);
  for (const { fields } of results) expect(fields).toMatchObject({ task: { id, title: 'Shared' } });
});
