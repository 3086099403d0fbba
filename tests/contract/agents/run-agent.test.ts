import { expect } from 'vitest';
import { createAgent, finishedSession, messagesOf, runAgent } from '../../support/agents.ts';
import { sharedServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';
import { createTask } from '../../support/tasks.ts';

const server = sharedServer();

const alice = await server.as('alice');
const agent = await createAgent(alice);

spec('runAgent', 200, 'a run creates a task, and the response is the finished run', async () => {
  const { body } = await runAgent(alice, agent, 'create a task titled Buy milk');

  expect(body).toMatchObject({
    agent_id: agent.id,
    status: 'completed',
    output: 'Created the task "Buy milk".',
    error: null,
    usage: null,
    runtime: 'builtin',
    model: null,
  });
  const { body: list } = await alice.ok('listTasks', { query: { q: 'Buy milk' } });
  expect(list.tasks.map(({ title }) => title)).toEqual(['Buy milk']);
});

spec('runAgent', 200, 'audit log and comments name the agent and the user it acts for', async () => {
  const context = { session_id: 'audited' };
  await runAgent(alice, agent, 'create a task titled Audited; comment on Audited: done by me', { context });

  const { body: list } = await alice.ok('listTasks', { query: { q: 'Audited' } });
  const id = list.tasks[0]?.id ?? '';
  const { body: entries } = await alice.ok('listAuditLogs', { id });
  const { body: comments } = await alice.ok('listComments', { id });

  expect(entries.map(({ action }) => action)).toEqual(['create', 'comment']);
  for (const entry of entries) {
    expect(entry).toMatchObject({ actor_type: 'agent', actor_id: agent.id });
    expect(JSON.parse(entry.payload)).toMatchObject({
      on_behalf_of: server.userId('alice'),
      session_id: 'audited',
    });
  }
  expect(comments).toMatchObject([{ author_id: agent.id, author_name: 'Planner', body: 'done by me' }]);
});

spec('runAgent', 200, 'the session contains all messages of the run', async () => {
  const context = { session_id: 'logged' };
  const { body: run } = await runAgent(alice, agent, 'create a task titled Logged', { context });

  const messages = await messagesOf(alice, 'logged');

  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
  expect(messages.every(({ run_id }) => run_id === run.id)).toBe(true);
  const [user, call, result, last] = messages;
  expect(user).toMatchObject({
    content: 'create a task titled Logged',
    actor_type: 'human',
    actor_id: server.userId('alice'),
  });
  expect(call?.tool_calls).toMatchObject([{ name: 'create_task', arguments: { title: 'Logged' } }]);
  expect(result).toMatchObject({ tool_call_id: call?.tool_calls?.[0]?.id, is_error: false });
  expect(last).toMatchObject({ content: run.output, actor_type: 'agent', actor_id: agent.id });
});

spec('runAgent', 200, 'a run continues the session in its context', async () => {
  const context = { session_id: 'again' };
  const first = await runAgent(alice, agent, 'list my tasks', { context });
  const second = await runAgent(alice, agent, 'list my tasks', { context });

  const { body: session } = await alice.ok('getSession', { id: 'again' });

  expect([first.body.session_id, second.body.session_id]).toEqual(['again', 'again']);
  expect(session).toMatchObject({
    id: 'again',
    agent_id: agent.id,
    user_id: server.userId('alice'),
    status: 'idle',
  });
  expect(session.message_count).toBe(8);
  expect(session.run?.id).toBe(second.body.id);
});

spec('runAgent', 200, 'a run loads the task in its context', async () => {
  const task = await createTask(alice, { title: 'Named by id' });

  const { body } = await runAgent(alice, agent, 'complete this task', { context: { task_id: task.id } });

  expect(body.output).toBe('Set the task "Named by id" to done.');
  expect((await alice.ok('getTask', { id: task.id })).body.task.status).toBe('done');
});

spec('runAgent', 200, "a `task` in the caller's own data does not count as a loaded task", async () => {
  const { body } = await runAgent(alice, agent, 'complete this task', { context: { task: { id: '1' } } });

  expect(body.output).toMatch(/^Which task\?/);
});

spec('runAgent', 200, 'tasks are created in the workspace in the context', async () => {
  await runAgent(alice, agent, 'create a task titled At work', { context: { workspace_id: 'work' } });

  const { body } = await alice.ok('listTasks', { query: { workspace_id: 'work' } });

  expect(body.tasks.map(({ title }) => title)).toEqual(['At work']);
});

spec(
  'runAgent',
  200,
  'the output lists the phrases of the built-in runtime if it does not understand the input',
  async () => {
    const { body } = await runAgent(alice, agent, 'What is the meaning of life?');

    expect(body.output).toMatch(/^I did not understand that\. I can do: create a task titled Buy milk; /);
  },
);

spec('runAgent', 200, 'an agent without known skills has no tools', async () => {
  const idle = await createAgent(alice, { skills: ['juggling'] });

  const { body } = await runAgent(alice, idle, 'create a task titled Nothing');

  expect(body.output).toMatch(/^I have no tools for that\./);
  expect((await alice.ok('listTasks', { query: { q: 'Nothing' } })).body.count).toBe(0);
});

spec('runAgent', 200, 'an agent with the skill tasks:read cannot change tasks', async () => {
  const reader = await createAgent(alice, { skills: ['tasks:read'] });

  const { body } = await runAgent(alice, reader, 'create a task titled Forbidden');

  expect(body.output).toMatch(/^I did not understand that\. I can do: list my tasks; /);
  expect((await alice.ok('listTasks', { query: { q: 'Forbidden' } })).body.count).toBe(0);
});

spec(
  'runAgent',
  200,
  'the agent receives the error of a rejected tool call, and the session contains it',
  async () => {
    const context = { session_id: 'rejected' };
    const { body } = await runAgent(alice, agent, `create a task titled "${'x'.repeat(501)}"`, { context });

    expect(body.status).toBe('completed');
    expect(body.output).toMatch(/^That did not work: Title must not have more than 500 characters/);
    const [, , result] = await messagesOf(alice, 'rejected');
    expect(result).toMatchObject({ role: 'tool', is_error: true });
  },
);

spec(
  'runAgent',
  202,
  'respond-async returns the queued run at once, and the run continues in the background',
  async () => {
    const answer = await runAgent(alice, agent, 'create a task titled Later', {
      context: { session_id: 'background' },
      headers: { Prefer: 'respond-async' },
    });

    expect(answer.status).toBe(202);
    expect(['queued', 'running']).toContain(answer.body.status);
    expect(answer.headers.get('Location')).toBe(`/v1/runs/${answer.body.id}`);
    expect(answer.headers.get('Preference-Applied')).toBe('respond-async');
    const session = await finishedSession(alice, 'background');
    expect(session.run).toMatchObject({ id: answer.body.id, status: 'completed' });
  },
);

spec('runAgent', 200, 'wait=N waits for the run', async () => {
  const { status } = await runAgent(alice, agent, 'list my tasks', { headers: { Prefer: 'wait=20' } });

  expect(status).toBe(200);
});

spec('runAgent', 200, 'the runs of one session are executed in the order of their requests', async () => {
  const context = { session_id: 'ordered' };
  const headers = { Prefer: 'respond-async' };
  const titles = ['One', 'Two', 'Three'];
  for (const title of titles) {
    await runAgent(alice, agent, `create a task titled Ordered ${title}`, { context, headers });
  }

  await runAgent(alice, agent, 'list my tasks', { context });

  const { body } = await alice.ok('listTasks', { query: { q: 'Ordered', sort: 'created_at' } });
  expect(body.tasks.map(({ title }) => title)).toEqual(titles.map((title) => `Ordered ${title}`));
});
