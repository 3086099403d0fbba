import { describe, expect, it } from 'vitest';
import { createAgent, finishedSession, messagesOf, noLimits } from '../support/agents.ts';
import { Client } from '../support/client.ts';
import { killedAt, noticeDeadWorkers } from '../support/killed-servers.ts';
import { runCli, startProcess } from '../support/process.ts';
import { createDatabase, startTestServer } from '../support/server.ts';
import { secret, tokenFor } from '../support/tokens.ts';

/** The run writes five messages after the user's: two tool calls, their two results, and its output. */
const input = 'create a task titled First; create a task titled Second';
const kills = [
  ['before each message is written', 'before 2', ['before 2', 'before 2', 'before 2', 'before 2']],
  ['after each message is written', 'after 2', ['after 1', 'after 1', 'after 1', 'after 1']],
] as const;

describe.concurrent('a run with two tool calls', () => {
  it.each(kills)('completes although its process is killed %s', async (_name, first, others) => {
    const database = await createDatabase();
    const env = { ...database.env, ...noLimits, JWT_SECRET: secret, LOG_LEVEL: 'error' };

    await startAndKill(env, first);
    for (const kill of others) {
      await noticeDeadWorkers(env);
      expect(
        (await runCli(['serve'], { PORT: '0', ...env, ...killedAt(kill, 'insert into messages') })).code,
      ).toBeNull();
    }
    await noticeDeadWorkers(env);
    const last = await startTestServer({ sharing: { env } });

    const alice = await last.as('alice');
    const session = await finishedSession(alice, 'killed');
    const messages = await messagesOf(alice, 'killed');
    const { body: list } = await alice.ok('listTasks', { query: { sort: 'created_at' } });
    expect(list.tasks.map(({ title }) => title)).toEqual(['First', 'Second']);
    expect(session).toMatchObject({ message_count: 6, run: { status: 'completed' } });
    expect(messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'tool',
      'assistant',
    ]);
    expect(messages.at(-1)?.content).toBe('Created the task "First".\nCreated the task "Second".');
  });
});

/** Starts the run in a process that is killed during it, possibly before it responds. */
async function startAndKill(env: Record<string, string>, kill: string): Promise<void> {
  const server = await startProcess({ ...env, ...killedAt(kill, 'insert into messages') });
  const alice = new Client(server, await tokenFor('alice'));
  const agent = await createAgent(alice);
  const request = { id: agent.id, body: { input, context: { session_id: 'killed' } } };
  await expect(alice.send('runAgent', request)).rejects.toThrow();
}
