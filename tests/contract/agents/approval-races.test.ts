import { describe, expect, it } from 'vitest';
import type { Schemas } from '../../../server/src/contract/operation.ts';
import { createAgent, endedRun, messagesOf, startRun, toolResults } from '../../support/agents.ts';
import { decisionsAbout, tasksTitled, waitingRun } from '../../support/approvals.ts';
import { sharedServer } from '../../support/server.ts';

const rounds = Array.from({ length: 12 }, (_, n) => n);

const alice = await sharedServer().as('alice');
const agent = await createAgent(alice, { approvals: ['create_task'] });

/** What a race can do with a waiting call, and what it has caused. */
function actionsOn(run: Schemas['Run'], title: string) {
  return {
    ...{ title, run },
    decide: (approve: boolean, values?: object) =>
      alice.send(
        'decideToolCalls',
        decisionsAbout(run, { approve, ...(values && { arguments: { ...values } }) }),
      ),
    /** How many tasks, tool results and successful tool results there are. */
    effects: async () => {
      const [tasks, results] = [await tasksTitled(alice, title), await toolResults(alice, run.session_id)];
      const succeeded = results.filter(({ is_error }) => !is_error);
      return { tasks: tasks.length, results: results.length, succeeded: succeeded.length };
    },
  };
}

/** Repeats a race about a waiting call. `later` delays one of the requests, by a little more in each round. */
async function eachRound(
  name: string,
  race: (waiting: ReturnType<typeof actionsOn>, later: () => Promise<void>) => Promise<void>,
): Promise<void> {
  for (const round of rounds) {
    const title = `${name} ${round}`;
    await race(actionsOn(await waitingRun(alice, agent, title), title), () => delay(round));
  }
}

function delay(round: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, round - 2) * 2));
}

/** Waits for a moment in which a faulty worker would still write something. */
function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 30));
}

describe('decisions that are made at the same time', () => {
  it('take effect once if they are equal', () =>
    eachRound('Equal', async ({ run, decide, effects }, later) => {
      const answers = await Promise.all([decide(true), decide(true), later().then(() => decide(true))]);

      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect((await endedRun(alice, run)).status).toBe('completed');
      expect(await effects()).toEqual({ tasks: 1, results: 1, succeeded: 1 });
    }));

  it('have one winner if their arguments differ, and its arguments take effect', () =>
    eachRound('Edited', async ({ title, run, decide, effects }) => {
      const titles = [`${title} one`, `${title} two`];

      const answers = await Promise.all(titles.map((each) => decide(true, { title: each })));

      const winner = titles[answers.findIndex(({ status }) => status === 200)];
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
      expect((await endedRun(alice, run)).output).toBe(`Created the task "${winner}".`);
      expect(await effects()).toEqual({ tasks: 1, results: 1, succeeded: 1 });
    }));
});

describe('an approval at the same time as', () => {
  it('a cancellation leaves a whole log and at most one effect, which the log reports', () =>
    eachRound('Cancelled', async ({ run, decide, effects }, later) => {
      const [approval, cancellation] = await Promise.all([
        decide(true),
        later().then(() => alice.ok('cancelRun', { id: run.id })),
      ]);

      const ended = await endedRun(alice, run);
      const after = await effects();
      expect([200, 400]).toContain(approval.status);
      expect(cancellation.body).toEqual(ended);
      expect(['cancelled', 'completed']).toContain(ended.status);
      expect(after).toEqual({ tasks: after.succeeded, results: 1, succeeded: after.succeeded });
      await pause();
      expect(await effects()).toEqual(after);
      expect((await alice.ok('getRun', { id: run.id })).body).toEqual(ended);
    }));
});

it('a cancellation while a run begins to wait leaves no call that waits, and no effect', async () => {
  for (const round of rounds) {
    const run = await startRun(alice, agent, `create a task titled Begun ${round}`, `begun-${round}`);
    await delay(round);

    const { body: cancelled } = await alice.ok('cancelRun', { id: run.id });
    const messages = await messagesOf(alice, run.session_id);
    await pause();

    expect(cancelled).toMatchObject({ status: 'cancelled', required_action: null });
    expect((await alice.ok('getRun', { id: run.id })).body).toEqual(cancelled);
    expect(await messagesOf(alice, run.session_id)).toEqual(messages);
    const calls = messages.flatMap(({ tool_calls }) => tool_calls ?? []);
    expect(messages.filter(({ is_error: isError }) => isError)).toHaveLength(calls.length);
  }
  expect(await tasksTitled(alice, 'Begun')).toEqual([]);
});
