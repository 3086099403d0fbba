import { describe, expect, it } from 'vitest';
import { createAgent, endedRun, messagesOf, noLimits, startRun, toolResults } from '../../support/agents.ts';
import { decisionsAbout, tasksTitled, waitingRun } from '../../support/approvals.ts';
import { run } from '../../support/postgres.ts';
import { isShareable, startTestServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';

const approvalMs = 2000;
const soon = { env: noLimits, changes: { agents: { approvalMs } } };

const server = await startTestServer(soon);
const alice = await server.as('alice');
const agent = await createAgent(alice, { approvals: ['create_task'] });

// The first two tests read their call from the log, because it may expire before they receive the run.
describe('a run that waits for decisions for too long', () => {
  spec('getRun', 200, 'continues, and its calls are rejected because nobody decided', async () => {
    const run = await waitingRun(alice, agent, 'Forgotten');
    const behind = await startRun(alice, agent, 'list my tasks', run.session_id);

    const ended = await endedRun(alice, run);

    expect(Date.parse(ended.completed_at ?? '')).toBeGreaterThan(Date.parse(run.created_at) + approvalMs);
    expect(ended).toMatchObject({ status: 'completed', required_action: null });
    expect(ended.output).toBe(
      'That did not work: Nobody decided about this call in time, so it was rejected.',
    );
    expect((await endedRun(alice, behind)).status).toBe('completed');
    const [, asked] = await messagesOf(alice, 'Forgotten');
    const [call] = asked?.tool_calls ?? [];
    expect(call?.decision).toMatchObject({ approve: false, arguments: null, by: null });
    expect((await toolResults(alice, 'Forgotten'))[0]).toMatchObject({
      ...{ is_error: true, tool_call_id: call?.id, actor_type: 'agent', actor_id: agent.id },
    });
    expect(await tasksTitled(alice, 'Forgotten')).toEqual([]);
  });

  it('has one result if it is decided at the same time', async () => {
    const decideInRound = async (round: number): Promise<void> => {
      const title = `Race ${round}`;
      const run = await waitingRun(alice, agent, title);
      const expiresMs = Date.parse(run.required_action?.expires_at ?? run.created_at);
      // The server looks for expired approvals every second.
      await new Promise((resolve) => setTimeout(resolve, expiresMs - 1000 - Date.now() + 200 * round));

      const { status } = await alice.send('decideToolCalls', decisionsAbout(run, { approve: true }));

      expect([200, 400]).toContain(status);
      expect((await endedRun(alice, run)).status).toBe('completed');
      expect(await toolResults(alice, run.session_id)).toMatchObject([{ is_error: status === 400 }]);
      expect(await tasksTitled(alice, title)).toHaveLength(status === 200 ? 1 : 0);
    };
    await Promise.all([0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(decideInRound));
  });
});

const expireAll = `
  update runs set required_action = jsonb_set(required_action::jsonb, '{expires_at}', '"2026-01-01T00:00:00Z"')
  where required_action is not null;`;

describe.runIf(isShareable)('on Postgres', () => {
  spec('decideToolCalls', 400, 'a call whose time has passed accepts no decision', async () => {
    const waiting = await waitingRun(alice, agent, 'Passed');
    await run(server.env['DATABASE_URL'] ?? '', expireAll);

    await alice.fails('decideToolCalls', 400, decisionsAbout(waiting, { approve: true }));
  });

  spec('getRun', 200, 'several servers reject each call whose approval has expired once', async () => {
    await Promise.all([1, 2].map(() => startTestServer({ sharing: server, ...soon })));

    const runs = await Promise.all(
      Array.from({ length: 20 }, (_, n) => waitingRun(alice, agent, `Shared ${n}`)),
    );

    for (const run of runs) {
      expect((await endedRun(alice, run)).status).toBe('completed');
      expect(await toolResults(alice, run.session_id)).toHaveLength(1);
    }
  });
});
