import { describe, expect } from 'vitest';
import { createAgent, endedRun, messagesOf, runAgent, startRun } from '../../support/agents.ts';
import { callsOf, decide, tasksTitled } from '../../support/approvals.ts';
import { sharedServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';
import { auditLog, createTask } from '../../support/tasks.ts';

const server = sharedServer();

const alice = await server.as('alice');
const agent = await createAgent(alice);

spec('runAgent', 200, 'audit log and comments name the agent and the user it acts for', async () => {
  const context = { session_id: 'audited' };
  await runAgent(alice, agent, 'create a task titled Audited; comment on Audited: done by me', { context });

  const [{ id } = { id: '' }] = await tasksTitled(alice, 'Audited');
  const { body: entries } = await alice.ok('listAuditLogs', { id });
  const { body: comments } = await alice.ok('listComments', { id });

  expect(entries.map(({ action }) => action)).toEqual(['create', 'comment']);
  for (const entry of entries) {
    expect(entry).toMatchObject({ actor_type: 'agent', actor_id: agent.id });
    const user = server.userId('alice');
    expect(JSON.parse(entry.payload)).toMatchObject({ on_behalf_of: user, session_id: 'audited' });
  }
  expect(comments).toMatchObject([{ author_id: agent.id, author_name: 'Planner', body: 'done by me' }]);
});

spec('runAgent', 200, 'the response is the finished run, and the session has all its messages', async () => {
  const context = { session_id: 'logged' };
  const { body: run } = await runAgent(alice, agent, 'create a task titled Logged', { context });

  const messages = await messagesOf(alice, 'logged');
  expect(run).toMatchObject({
    ...{ agent_id: agent.id, status: 'completed', output: 'Created the task "Logged".' },
    ...{ error: null, usage: null, runtime: 'builtin', model: null },
  });
  expect(await tasksTitled(alice, 'Logged')).toHaveLength(1);

  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
  expect(messages.every(({ run_id }) => run_id === run.id)).toBe(true);
  const [user, call, result, last] = messages;
  const content = 'create a task titled Logged';
  expect(user).toMatchObject({ content, actor_type: 'human', actor_id: server.userId('alice') });
  expect(call?.tool_calls).toMatchObject([{ name: 'create_task', arguments: { title: 'Logged' } }]);
  expect(result).toMatchObject({ tool_call_id: call?.tool_calls?.[0]?.id, is_error: false });
  expect(last).toMatchObject({ content: run.output, actor_type: 'agent', actor_id: agent.id });
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

const charter = await server.as('charter');
for (const [status, priority] of [
  ['done', 'low'],
  ['in_review', 'none'],
  ['todo', 'urgent'],
  ['in_progress', 'high'],
] as const)
  await createTask(charter, { title: 'Buy milk', status, priority });
const ofCharter = await createAgent(charter, { approvals: ['render_chart'] });

describe.each([
  ['chart my tasks', 'bar', ['To do', 'In progress', 'Done', 'In review']],
  ['draw a pie chart of my tasks by priority as a Line', 'line', ['urgent', 'high', 'low', 'none']],
])('an agent that is asked: %s', (input, chart_type, labels) => {
  spec('runAgent', 202, 'draws the numbers of tasks in the order of work', async () => {
    const { body: run } = await runAgent(charter, ofCharter, input);

    const data = labels.map((label) => ({ label, value: 1 }));
    expect(callsOf(run)).toMatchObject([{ arguments: { chart_type, data } }]);
  });
});

spec('runAgent', 200, 'a task named by its title is not guessed if several match', async () => {
  const client = await server.as('buyer');
  // One more than the agent reads.
  const create = Array.from({ length: 101 }, (_, n) => ({ title: `Buy milk ${n}` }));
  for (const part of [create.slice(1), create.slice(0, 1)])
    await client.ok('batchTasks', { body: { create: part } });

  const { body } = await runAgent(client, await createAgent(client), 'complete milk');

  expect(body.output).toBe('There are 101 tasks that "milk" could mean. Use the full title or task_id.');
});

describe.each([
  [['juggling'], 'create a task titled No skill', /^I have no tools for that\./],
  [
    ['tasks:read'],
    'create a task titled No skill',
    /^I did not understand that\. I can do: list my tasks\.$/,
  ],
  [['tasks'], 'chart my tasks by status', /^I did not understand that\./],
])('an agent with the skills %j', (skills, input, output) => {
  spec('runAgent', 200, `cannot ${input}`, async () => {
    const { body } = await runAgent(alice, await createAgent(alice, { skills }), input);

    expect(body.output).toMatch(output);
    expect(await tasksTitled(alice, 'No skill')).toEqual([]);
  });
});

spec('runAgent', 200, 'a repetition can wait for a run that was started in the background', async () => {
  const key = { 'Idempotency-Key': 'first async' };
  const input = 'create a task titled Repeated';

  const first = await runAgent(alice, agent, input, { headers: { ...key, Prefer: 'respond-async' } });
  const second = await runAgent(alice, agent, input, { headers: key });

  expect([first.status, second.status]).toEqual([202, 200]);
  expect(second.body).toMatchObject({ id: first.body.id, status: 'completed' });
});

spec('runAgent', 400, 'the session of another agent is rejected', async () => {
  const other = await createAgent(alice);
  await runAgent(alice, agent, 'list my tasks', { context: { session_id: 'taken' } });

  const body = { input: 'list my tasks', context: { session_id: 'taken' } };
  const { body: problem } = await alice.fails('runAgent', 400, { id: other.id, body });

  const detail = 'Session id of context must not name a session of another agent.';
  expect(problem.errors).toEqual([{ pointer: '/context/session_id', code: 'conflicting', detail }]);
});

spec('runAgent', 400, 'a context of more than 64 KiB as JSON is refused', async () => {
  const body = { input: 'list my tasks', context: { note: 'ä'.repeat(33_000) } };
  const { body: problem } = await alice.fails('runAgent', 400, { id: agent.id, body });

  expect(problem.errors).toMatchObject([{ pointer: '/context', code: 'too_large' }]);
});

spec('runAgent', 400, 'the error for an unavailable runtime lists the configured ones', async () => {
  const { id } = await createAgent(alice, { runtime: 'gpt-99' });

  const { body } = await alice.fails('runAgent', 400, { id, body: { input: 'Hi' } });

  expect(body).toMatchObject({
    code: 'Agent unavailable',
    detail: 'The runtime "gpt-99" of this agent is not configured on this server. It has: builtin.',
  });
});

spec('runAgent', 200, 'the runs of one session are executed in the order of their requests', async () => {
  const titles = ['One', 'Two', 'Three'];
  for (const title of titles)
    await startRun(alice, agent, `create a task titled Ordered ${title}`, 'ordered');

  await runAgent(alice, agent, 'list my tasks', { context: { session_id: 'ordered' } });

  const { body } = await alice.ok('listTasks', { query: { q: 'Ordered', sort: 'created_at' } });
  expect(body.tasks.map(({ title }) => title)).toEqual(titles.map((title) => `Ordered ${title}`));
});

spec('decideToolCalls', 200, 'an agent asks before it deletes, whatever its approvals list', async () => {
  const task = await createTask(alice, { title: 'Approved' });
  await alice.ok('createComment', { id: task.id, body: { body: 'Keep me.' } });
  const { body: run } = await runAgent(alice, agent, 'delete task Approved');
  expect(callsOf(run)).toMatchObject([{ name: 'delete_task', arguments: { id: task.id } }]);
  expect((await alice.ok('getTask', { id: task.id })).body.task.title).toBe('Approved');

  await decide(alice, run, { approve: true });

  expect((await endedRun(alice, run)).output).toBe('Deleted the task "Approved".');
  await alice.fails('getTask', 404, { id: task.id });
  const { body: entries } = await alice.ok('listAuditLogs', { id: task.id });
  expect(entries.map(({ action }) => action)).toEqual(['create', 'comment', 'delete']);
  expect(entries[2]).toMatchObject({ actor_type: 'agent', actor_id: agent.id });
  const payload = { approved_by: server.userId('alice'), title: 'Approved' };
  expect((await auditLog(alice, task.id))[2]).toMatchObject({ payload });
});
