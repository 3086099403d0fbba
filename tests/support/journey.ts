import { createAgent, messagesOf, runAgent } from './agents.ts';
import type { Client } from './client.ts';
import { nextQuery } from './pages.ts';
import { auditLog, createFiveTasks, createTask } from './tasks.ts';

/**
 * Uses everything that depends on session settings of a database: dates, filters, orders, texts, concurrent writes,
 * references and runs. Resolves to the responses. In them, ids are numbered in order of appearance, and current times
 * are `now`.
 */
export async function journey(alice: Client): Promise<unknown> {
  const answers: unknown[] = [];
  await createFiveTasks(alice);
  const task = await createTask(alice, { title: `It's \\d "🙂" Ünï`, due_date: '2026-11-05T10:00:00+05:45' });
  const { id } = task;
  const keyed = { body: { title: 'Once' }, headers: { 'Idempotency-Key': 'k' } };
  for (const request of [keyed, keyed]) answers.push((await alice.ok('createTask', request)).body);
  await Promise.all(Array.from({ length: 10 }, () => createTask(alice, { workspace_id: 'many', tags: 'a' })));
  const updates = Array.from({ length: 10 }, (_, n) => ({ [fields[n % fields.length] ?? 'title']: `${n}` }));
  await Promise.all(updates.map((change) => alice.ok('updateTask', { id: task.id, body: change })));
  await alice.ok('updateTask', { id, body: { title: 'T', description: null, metadata: 'NULL', tags: null } });
  await alice.ok('updateTask', { id, body: { status: 'todo', priority: null, due_date: '2026-11-05' } });
  await alice.ok('assignTask', { id, body: { assignee_id: 'bob', assignee_name: '\\x41' } });
  await alice.ok('createComment', { id, body: { body: `'; -- \\' 🙂` } });

  for (const query of queries) answers.push([query, await pages(alice, query)]);
  answers.push((await alice.ok('getTask', { id })).body, (await alice.ok('listComments', { id })).body);
  const log = await auditLog(alice, id);
  answers.push(
    log.filter(({ action }) => action !== 'update'),
    log.length,
  );

  const agent = await createAgent(alice, { approvals: ['create_task'] });
  const run = (await runAgent(alice, agent, 'list my tasks')).body;
  const paused = (await runAgent(alice, agent, 'create a task titled By an agent')).body;
  answers.push(agent, run, paused, await messagesOf(alice, run.session_id));
  answers.push(
    (await alice.ok('listSessions')).body,
    (await alice.ok('getSession', { id: run.session_id })).body,
  );

  await alice.ok('deleteSession', { id: run.session_id });
  await alice.fails('getRun', 404, { id: run.id });
  await alice.ok('deleteTask', { id });
  await alice.fails('listComments', 404, { id });
  answers.push((await alice.ok('listTasks', { query: { limit: 1 } })).body);
  answers.push(await changes(alice));
  return withoutIds(answers);
}

const fields = ['title', 'description', 'metadata', 'status', 'priority'];

const queries = [
  'sort=title',
  'sort=-title',
  'sort=due_date',
  'sort=-due_date&limit=2',
  'due_after=2026-11-05&due_before=2026-12-02',
  'due_before=2026-11-05T04:15:00Z',
  'q=%5C',
  'q=%F0%9F%99%82',
  'q=%C3%84pple',
  'q=100%25_',
  'tag=food',
  'tag=a&limit=3',
  'workspace_id=many&limit=4',
  'updated_since=2026-01-01&limit=3',
];

/** The titles and dates on the first two pages of a list, and their numbers of entries. */
async function pages(alice: Client, query: string): Promise<unknown> {
  const first = await alice.ok('listTasks', { query });
  const next = nextQuery(first);
  const second = next === undefined ? undefined : await alice.ok('listTasks', { query: next });
  const tasks = [...first.body.tasks, ...(second?.body.tasks ?? [])];
  return [
    first.body.count,
    tasks.map(({ title, due_date, created_at }) => ({ title, due_date, created_at })),
  ];
}

/**
 * How often each action occurs in all changes. The order does not count, because concurrent changes are recorded in any
 * order.
 */
async function changes(alice: Client): Promise<Record<string, number>> {
  const actions: Record<string, number> = {};
  let after = '0';
  for (;;) {
    const { body } = await alice.ok('listChanges', { query: { after } });
    for (const { action } of body.changes) actions[action] = (actions[action] ?? 0) + 1;
    if ((actions['delete'] ?? 0) > 0) return actions;
    after = body.next;
  }
}

function withoutIds(value: unknown): unknown {
  const ids: string[] = [];
  return JSON.parse(JSON.stringify(value), (name, text: unknown) => {
    if (typeof text !== 'string') return text;
    // An ETag depends on the id of the task, which differs in every run.
    if (name === 'etag') return 'etag';
    // Results of tools are JSON inside a text, so there may be times anywhere in the text.
    const timeless = text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) => {
      const msFromNow = Date.parse(time) - Date.now();
      // An approval expires in a week, which also counts as `now`.
      return [0, 7 * 86_400_000].some((ms) => Math.abs(msFromNow - ms) < 60_000) ? 'now' : time;
    });
    return timeless.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|(?<=call_)[0-9a-f]{12}/g, (id) => {
      if (!ids.includes(id)) ids.push(id);
      return `id ${ids.indexOf(id)}`;
    });
  });
}
