import { afterAll, describe, expect, vi } from 'vitest';
import type { Schemas } from '../../../server/src/operation.ts';
import { createAgent, endedRun, noLimits, startRun, toolResults } from '../../support/agents.ts';
import { callsOf, decide, decisionsAbout, tasksTitled, waitingRun } from '../../support/approvals.ts';
import { isShareable, startTestServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';

const soon = { ...noLimits, AGENT_APPROVAL_TIMEOUT_MS: '1' };

vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
afterAll(() => {
  vi.useRealTimers();
});

const server = await startTestServer({ env: soon });
const alice = await server.as('alice');
const agent = await createAgent(alice, { approvals: ['create_task'] });

/** Lets a minute pass. The server then looks for expired approvals. */
function passMinute(): void {
  vi.advanceTimersByTime(60_000);
}

/**
 * Lets minutes pass until a run has ended. Several may be needed, because a pass is skipped if the previous pass has
 * not ended.
 */
async function passMinutesUntilEnded({ id }: Schemas['Run']): Promise<void> {
  await expect
    .poll(async () => {
      passMinute();
      return (await alice.ok('getRun', { id })).body.completed_at;
    })
    .not.toBeNull();
}

describe('a run that waits for longer than AGENT_APPROVAL_TIMEOUT_MS', () => {
  spec('getRun', 200, 'continues, and its calls are rejected because nobody decided', async () => {
    const run = await waitingRun(alice, agent, 'Forgotten');
    const behind = await startRun(alice, agent, 'list my tasks', run.session_id);
    expect(Date.parse(run.required_action?.expires_at ?? '')).toBeLessThan(Date.now());

    await passMinutesUntilEnded(run);

    const ended = await endedRun(alice, run);
    expect(ended).toMatchObject({ status: 'completed', required_action: null });
    expect(ended.output).toBe(
      'That did not work: Nobody decided about this call in time, so it was rejected.',
    );
    expect((await endedRun(alice, behind)).status).toBe('completed');
    expect((await toolResults(alice, 'Forgotten'))[0]).toMatchObject({
      ...{ is_error: true, tool_call_id: callsOf(run)[0]?.id, actor_type: 'agent', actor_id: agent.id },
    });
    expect(await tasksTitled(alice, 'Forgotten')).toEqual([]);
  });

  spec('decideToolCalls', 400, 'takes no decision any more', async () => {
    const run = await waitingRun(alice, agent, 'Late');
    await passMinutesUntilEnded(run);

    for (const approve of [true, false]) {
      const { body } = await alice.fails('decideToolCalls', 400, decisionsAbout(run, { approve }));
      expect(body.errors).toMatchObject([{ pointer: '/decisions/0/tool_call_id', code: 'not_found' }]);
    }
  });

  spec('decideToolCalls', 200, 'takes a decision until it continues', async () => {
    const run = await waitingRun(alice, agent, 'Just in time');

    await decide(alice, run, { approve: true });
    passMinute();

    expect((await endedRun(alice, run)).output).toBe('Created the task "Just in time".');
  });

  spec('decideToolCalls', 200, 'has one result if it is decided at the same time', async () => {
    for (let round = 0; round < 10; round += 1) {
      const title = `Race ${round}`;
      const run = await waitingRun(alice, agent, title);

      const decision = alice.send('decideToolCalls', decisionsAbout(run, { approve: true }));
      await new Promise((resolve) => setTimeout(resolve, round));
      passMinute();

      const { status } = await decision;
      expect([200, 400]).toContain(status);
      expect((await endedRun(alice, run)).status).toBe('completed');
      expect(await toolResults(alice, run.session_id)).toMatchObject([{ is_error: status === 400 }]);
      expect(await tasksTitled(alice, title)).toHaveLength(status === 200 ? 1 : 0);
    }
  });
});

describe.runIf(isShareable)('several servers that start after approvals have expired', () => {
  spec('getRun', 200, 'reject each call once', async () => {
    const runs = await Promise.all(
      Array.from({ length: 20 }, (_, n) => waitingRun(alice, agent, `Shared ${n}`)),
    );

    await Promise.all([1, 2, 3].map(() => startTestServer({ sharing: server, env: soon })));

    for (const run of runs) {
      expect((await endedRun(alice, run)).status).toBe('completed');
      expect(await toolResults(alice, run.session_id)).toHaveLength(1);
    }
  });
});
