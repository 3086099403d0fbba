import { expect, it } from 'vitest';
import { agentTools } from '../../server/src/tools/catalogue.ts';
import type { Schemas } from '../../server/src/operation.ts';
import { createAgent, finishedSession, messagesOf, noLimits, runAgent } from '../support/agents.ts';
import { decide } from '../support/approvals.ts';
import { Client } from '../support/client.ts';
import { killedAt, noticeDeadWorkers } from '../support/killed-servers.ts';
import { runCli, startProcess } from '../support/process.ts';
import { createDatabase, startTestServer } from '../support/server.ts';
import type { Environment } from '../support/server-process.ts';
import { secret, tokenFor } from '../support/tokens.ts';

const input =
  'create a task titled First; comment on First: Hi; assign First to bob; complete First; delete First';
const session = 'killed';

it('every tool that changes tasks takes effect once, although its process is killed before the result is written', async () => {
  const database = await createDatabase();
  const env = { ...database.env, ...noLimits, PORT: '0', JWT_SECRET: secret, LOG_LEVEL: 'error' };
  // The first process writes the input and one step of the model; the others a result, a task that is found, and two steps.
  const [atFirst, atNext] = [killedBefore(env, 3), killedBefore(env, 5)];

  const killed: string[] = [];
  const noteKill = async (exitCode: number | null): Promise<void> => {
    expect(exitCode).toBeNull();
    killed.push(new Date().toISOString());
    await noticeDeadWorkers(env);
  };

  await noteKill(await exitOf(atFirst, startRun));
  for (let n = 0; n < 3; n += 1) await noteKill((await runCli(['serve'], atNext)).code);
  await noteKill(await exitOf(atNext, approve));
  const last = await startTestServer({ sharing: { env } });

  const alice = await last.as('alice');
  const { run } = await finishedSession(alice, session);
  const messages = await messagesOf(alice, session);
  const entries = (await alice.ok('listChanges', { query: { after: '0' } })).body.changes;
  expect(run?.status).toBe('completed');
  expect(entries.map(({ action }) => action)).toEqual(['create', 'comment', 'assign', 'update', 'delete']);
  // The changes of a killed process are undone with its message, so the next process has made each change.
  for (const [n, { action, created_at: at }] of entries.entries())
    expect(at > (killed[n] ?? ''), `${action} is one with the message of its result`).toBe(true);
  expect(messages.filter(({ is_error: isError }) => isError)).toEqual([]);
  const called = messages.flatMap(({ tool_calls: calls }) => calls ?? []).map(({ name }) => name);
  const changing = agentTools.filter(({ effect }) => effect !== 'reads').map(({ name }) => name);
  expect(
    changing.filter((name) => !called.includes(name)),
    'Let the run of this test call these tools.',
  ).toEqual([]);
});

function killedBefore(env: Environment, message: number): Environment {
  return { ...env, ...killedAt(`before ${message}`, 'insert into messages') };
}

/** Starts a server, sends it requests, and resolves to its exit code. */
async function exitOf(env: Environment, act: (client: Client) => Promise<unknown>): Promise<number | null> {
  const server = await startProcess(env);
  // The server may be killed before it responds.
  await act(await clientOf(server.url)).catch(() => undefined);
  return server.exited;
}

async function startRun(alice: Client): Promise<void> {
  const agent = await createAgent(alice);
  await runAgent(alice, agent, input, { context: { session_id: session } });
}

async function approve(alice: Client): Promise<void> {
  const waiting = async (): Promise<Schemas['Run'] | null> =>
    (await alice.ok('getSession', { id: session })).body.run;
  await expect.poll(async () => (await waiting())?.status).toBe('requires_action');
  const run = await waiting();
  if (run !== null) await decide(alice, run, { approve: true });
}

async function clientOf(url: string): Promise<Client> {
  return new Client({ url }, await tokenFor('alice'));
}
