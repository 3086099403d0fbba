import { describe, expect, it } from 'vitest';
import type { Schemas } from '../../../../server/src/contract/operation.ts';
import { createAgent, messagesOf, runAgent } from '../../../support/agents.ts';
import { connectMcp } from '../../../support/mcp.ts';
import { chunksResponse, textResponse, type ModelServer } from '../../../support/model-server.ts';
import { createTask } from '../../../support/tasks.ts';
import { runWithCall } from '../../../support/with-mcp-skill.ts';
import { startWithModel } from '../../../support/with-model.ts';

const started = await startWithModel();
const { model, server, alice, agent } = started;

type ToolOfModel = NonNullable<ModelServer['requests'][number]['tools']>[number];

const nameOf = ({ function: { name } }: ToolOfModel): string => name;

/** The tools that the model receives for an agent with these skills. */
async function toolsWith(...skills: string[]): Promise<readonly ToolOfModel[]> {
  const owner = await createAgent(alice, { runtime: 'local', skills });
  model.respondWith(textResponse('Done.'));
  await runAgent(alice, owner, 'Hi');
  return model.requests[0]?.tools ?? [];
}

/** Makes the model call a tool. Resolves to the message with the result. */
async function resultOf(name: string, values: object | string): Promise<Schemas['Message']> {
  const { result } = await runWithCall(started, name, values, { workspace_id: 'home' });
  if (result === undefined) throw new Error('The session has no result of a tool.');
  return result;
}

describe('the tools of an agent', () => {
  it('only read with the skill tasks:read, and are these and others, each once, with the skill tasks', async () => {
    const reading = await toolsWith('tasks:read');
    const all = await toolsWith('tasks', 'tasks:read', 'viz');
    const { tools } = await (await connectMcp(server, await server.token('alice'))).listTools();
    const changing = tools.filter(({ annotations }) => annotations?.readOnlyHint === false);

    expect(reading.map(nameOf)).toContain('list_tasks');
    expect(reading.filter((tool) => changing.some(({ name }) => name === nameOf(tool)))).toEqual([]);
    expect(all.map(nameOf)).toEqual(expect.arrayContaining([...reading.map(nameOf), 'create_task']));
    expect(new Set(all.map(nameOf)).size).toBe(all.length);
  });

  it('are those of /mcp and delete_task, without the arguments that only programs need', async () => {
    const { tools } = await (await connectMcp(server, await server.token('alice'))).listTools();
    const withoutHeaders = (name: string, value: unknown): unknown =>
      name === 'idempotency_key' || name === 'if_match' ? undefined : value;

    const ofAgent = await toolsWith('tasks', 'viz');
    for (const { function: tool } of ofAgent.filter((each) => nameOf(each) !== 'delete_task')) {
      const ofMcp = tools.find(({ name }) => name === tool.name);
      expect(tool).toEqual({
        name: tool.name,
        description: ofMcp?.description,
        parameters: JSON.parse(JSON.stringify(ofMcp?.inputSchema, withoutHeaders)),
      });
    }
  });
});

describe('a call by a model', () => {
  it('gets a page of a list with the fields that identify an entry, and its cursor', async () => {
    for (const title of ['One', 'Two', 'Three']) await createTask(alice, { title, description: 'Long' });

    const first = await resultOf('list_tasks', { limit: 2 });
    const { tasks, count, next_cursor: cursor } = JSON.parse(first.content) as Record<string, unknown>;
    const last = await resultOf('list_tasks', { limit: 2, cursor });

    const [id, created_at] = [expect.any(String), expect.any(String)];
    const entry = { id, status: 'todo', priority: 'none', created_at };
    const titled = ['Three', 'Two'].map((title) => ({ ...entry, title }));
    expect([tasks, count]).toEqual([titled, 3]);
    expect(JSON.parse(last.content)).toMatchObject({ tasks: [{ title: 'One' }], count: 3 });
  });

  it('shows a picture to the user, and the model gets only its name', async () => {
    const data = [{ label: 'todo', value: 1 }];

    const { content, attachments } = await resultOf('render_chart', { chart_type: 'pie', data });

    expect(content).toBe('{"shown_to_user":"chart.png"}');
    expect(attachments).toEqual([
      { media_type: 'image/png', name: 'chart.png', data_base64: expect.stringMatching(/^iVBORw0KGgo/) },
    ]);
  });

  it('with an argument that the tool does not have takes no effect, and the result says so', async () => {
    const values = { title: 'Misspelled', prio: 'high' };

    const { content, is_error: isError } = await resultOf('create_task', values);

    expect([content, isError]).toEqual([
      expect.stringMatching(/^Prio is not an argument of create_task, which has title, /),
      true,
    ]);
    expect((await alice.ok('listTasks', { query: { q: 'Misspelled' } })).body.count).toBe(0);
  });

  it('may have null for an optional argument, from a model and over /mcp', async () => {
    const values = { title: 'With nulls', workspace_id: null, due_date: null, tags: '' };
    const { is_error: isError } = await resultOf('create_task', values);
    const mcp = await connectMcp(server, await server.token('alice'));
    const listed = await mcp.callTool({ name: 'list_tasks', arguments: { q: 'With nulls', status: null } });

    expect([isError, listed.isError ?? false]).toEqual([false, false]);
    expect(listed.structuredContent).toMatchObject({ count: 1, tasks: [{ workspace_id: 'home' }] });
  });

  it('may have a list or a number as JSON text', async () => {
    await createTask(alice, { title: 'Listed done', status: 'done' });
    await createTask(alice, { title: 'Listed blocked', status: 'blocked' });

    const values = { q: 'Listed', status: '["done", "blocked"]', limit: '1' };
    const { content } = await resultOf('list_tasks', values);

    expect(JSON.parse(content)).toMatchObject({ count: 2, tasks: [{ title: 'Listed blocked' }] });
  });

  it.each([
    ['deep', '['.repeat(65) + ']'.repeat(65), 'Status is nested deeper than 64 levels. Flatten it.'],
    ['long', `[${'0,'.repeat(50_001)}0]`, 'Status has more than 50000 values. Send fewer.'],
    ['poisoned', '[{"__proto__":1}]', 'Status has the key __proto__. Leave it out.'],
  ])('may not have JSON text beyond the limits of a body: %s', async (_name, status, sentence) => {
    const { content, is_error: isError } = await resultOf('list_tasks', { status });

    expect([content, isError]).toEqual([sentence, true]);
  });
});

describe('arguments of a call', () => {
  const refusal =
    'The arguments of this call are not a JSON object of at most 256 KiB, 64 levels and 50,000 values.';

  it.each([
    ['more than 256 KiB', `{"title":"${'x'.repeat(256 * 1024)}"}`],
    ['more than 64 levels', `{"title":${'['.repeat(64)}${']'.repeat(64)}}`],
    ['thousands of levels', `{"title":"]\\"","a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`],
    ['more than 50,000 values', `{"title":[${'0,'.repeat(70_000)}0]}`],
    ['a key that could change a prototype', '{"title":"x","__proto__":{}}'],
  ])('with %s are not parsed, and the model learns the limits', async (_name, text) => {
    const { run, result } = await runWithCall(started, 'create_task', text);

    expect(run.status).toBe('completed');
    const [, step] = await messagesOf(alice, run.session_id);
    expect(step?.tool_calls?.[0]?.arguments['arguments']).toContain(text.slice(0, 1000));
    expect(result).toMatchObject({ content: refusal, is_error: true });
  });

  it('that are an object instead of a text fail the run if they have more levels than a body may have', async () => {
    const values = JSON.parse(`{"title":${'['.repeat(1000)}${']'.repeat(1000)}}`) as object;
    const call = { index: 0, function: { name: 'create_task', arguments: values } };
    model.respondWith(chunksResponse({ choices: [{ delta: { tool_calls: [call] } }] }));

    const { body: run } = await runAgent(alice, agent, 'Hi');

    expect(run.error?.message).toBe('The model server has sent JSON with too many levels or values.');
  });
});
