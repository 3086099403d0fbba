import { expect, it } from 'vitest';
import type { Schemas } from '../../../server/src/contract/operation.ts';
import { createAgent, messagesOf } from '../../support/agents.ts';
import type { Client } from '../../support/client.ts';
import { processEnv, untilKilled } from '../../support/killed-servers.ts';
import { createDatabase, startTestServer } from '../../support/server.ts';
import { auditLog } from '../../support/tasks.ts';

const pause = "set status = 'requires_action'";
const decision = 'update runs set decisions';
const message = 'insert into messages';

/**
 * The statement at which each process is killed, and the request that leads to it. Without a request, the worker
 * reaches the statement by itself.
 */
const kills: readonly (readonly [
  at: string,
  statement: string,
  request?: (alice: Client) => Promise<unknown>,
])[] = [
  ['before 1', pause, (alice) => start(alice)],
  ['after 1', pause],
  ['before 1', decision, (alice) => decide(alice, 1, true)],
  ['after 1', decision, (alice) => decide(alice, 1, true)],
  ['before 1', message],
  ['after 1', message],
  ['before 1', decision, (alice) => decide(alice, 2, false)],
  [
    'after 1',
    decision,
    async (alice) => {
      await decide(alice, 1, true);
      await decide(alice, 2, false);
    },
  ],
];

it('a run with a call that is approved with other arguments, and a rejected one, takes effect once, whenever its process is killed', async () => {
  const env = processEnv(await createDatabase());

  for (const [at, statement, request] of kills) await untilKilled(env, [at, statement], request);

  const alice = await (await startTestServer({ sharing: { env } })).as('alice');
  await expect.poll(async () => (await getRun(alice)).status).toBe('completed');
  const messages = await messagesOf(alice, 'killed');
  const { tasks } = (await alice.ok('listTasks')).body;
  const entries = await auditLog(alice, tasks[0]?.id ?? '');
  expect(tasks.map(({ title }) => title)).toEqual(['First, as edited']);
  expect(entries).toMatchObject([{ action: 'create', payload: { arguments_edited: true } }]);
  const roles = messages.map(({ role, is_error: isError }) => (isError ? `failed ${role}` : role));
  expect(roles).toEqual(['user', 'assistant', 'tool', 'assistant', 'failed tool', 'assistant']);
});

it('a call that nobody decides about is rejected once, whenever its process is killed', async () => {
  const database = await createDatabase();
  const env = processEnv(database);
  const first = await startTestServer({ sharing: { env }, changes: { agents: { approvalMs: 2000 } } });
  await start(await first.as('alice'), 'requires_action');
  await first.close();

  for (const at of ['before 1', 'after 1']) await untilKilled(env, [at, decision]);

  const alice = await (await startTestServer({ sharing: { env } })).as('alice');
  // After the rejection, the built-in runtime calls `create_task` for the second task.
  await expect.poll(async () => (await getRun(alice)).required_action?.tool_calls[0]?.id).toMatch(/_2_1$/);
  const results = (await messagesOf(alice, 'killed')).filter(({ role }) => role === 'tool');
  expect(results).toMatchObject([{ is_error: true, content: expect.stringMatching(/^Nobody decided/) }]);
});

/** Starts a run that creates several tasks, each after an approval. */
async function start(alice: Client, until?: Schemas['Run']['status']): Promise<void> {
  const { id } = await createAgent(alice, { approvals: ['create_task'] });
  const input = 'create a task titled First; create a task titled Second';
  const request = { id, body: { input, context: { session_id: 'killed' } } };
  await alice.ok('runAgent', { ...request, headers: { Prefer: 'respond-async' } });
  while ((await getRun(alice)).status !== until);
}

/** The only run. It is found in the list, because the process may have been killed before the response with its id. */
async function getRun(alice: Client): Promise<Schemas['Run']> {
  return (await alice.ok('listRuns')).body.runs[0] as Schemas['Run'];
}

/** Waits until the run waits, and decides about the only call of a step. An approval also edits the arguments. */
async function decide(alice: Client, step: number, approve: boolean): Promise<void> {
  await expect.poll(async () => (await getRun(alice)).status).toBe('requires_action');
  const edited = approve ? { arguments: { title: 'First, as edited' } } : {};
  const { id } = await getRun(alice);
  const decisions = [{ tool_call_id: `call_${id.slice(-12)}_${step}_1`, approve, ...edited }];
  await alice.ok('decideToolCalls', { id, body: { decisions } });
}
