import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Schemas } from '../../../server/src/contract/operation.ts';
import { createAgent, endedRun, messagesOf, startRun, toolResults } from '../../support/agents.ts';
import { decisionsAbout, tasksTitled, waitingRun } from '../../support/approvals.ts';
import { sharedServer } from '../../support/server.ts';

const alice = await sharedServer().as('alice');
const agent = await createAgent(alice, { approvals: ['create_task'] });

const rounds = 12;
const delay = (round: number): Promise<void> => pause(Math.max(0, round - 2) * 2);

/** What a race can do with a waiting call, and the effects of the race. */
function actionsOn(run: Schemas['Run'], title: string) {
  return {
    ...{ title, run },
    approve: (edited: object = {}) =>
      alice.send('decideToolCalls', decisionsAbout(run, { approve: true, ...edited })),
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
  for (let round = 0; round < rounds; round += 1) {
    const title = `${name} ${round}`;
    const run = await waitingRun(alice, agent, title);
    await race(actionsOn(run, title), () => delay(round));
  }
}

it('equal decisions that are made at the same time take effect once', () =>
  eachRound('Equal', async ({ run, approve, effects }, later) => {
    const answers = await Promise.all([approve(), approve(), later().then(() => approve())]);

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await endedRun(alice, run)).status).toBe('completed');
    expect(await effects()).toEqual({ tasks: 1, results: 1, succeeded: 1 });
  }));

it('of decisions with different arguments at the same time, one takes effect', () =>
  eachRound('Edited', async ({ title, run, approve, effects }) => {
    const titles = [`${title} one`, `${title} two`];

    const answers = await Promise.all(titles.map((each) => approve({ arguments: { title: each } })));

    const winner = titles[answers.findIndex(({ status }) => status === 200)];
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    expect((await endedRun(alice, run)).output).toBe(`Created the task "${winner}".`);
    expect(await effects()).toEqual({ tasks: 1, results: 1, succeeded: 1 });
  }));

it('an approval at the same time as a cancellation has at most one effect, and the log agrees with it', () =>
  eachRound('Cancelled', async ({ run, approve, effects }, later) => {
    const [approval, cancellation] = await Promise.all([
      approve(),
      later().then(() => alice.ok('cancelRun', { id: run.id })),
    ]);

    const ended = await endedRun(alice, run);
    const after = await effects();
    expect([200, 400]).toContain(approval.status);
    expect(cancellation.body).toEqual(ended);
    expect(['cancelled', 'completed']).toContain(ended.status);
    expect(after).toEqual({ tasks: after.succeeded, results: 1, succeeded: after.succeeded });
    // Time in which a faulty worker would still write something.
    await pause(30);
    expect(await effects()).toEqual(after);
    expect((await alice.ok('getRun', { id: run.id })).body).toEqual(ended);
  }));

it('a cancellation while a run begins to wait leaves no call that waits, and no effect', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const run = await startRun(alice, agent, `create a task titled Begun ${round}`, `begun-${round}`);
    await delay(round);

    const { body: cancelled } = await alice.ok('cancelRun', { id: run.id });
    const messages = await messagesOf(alice, run.session_id);
    await pause(30);

    expect(cancelled).toMatchObject({ status: 'cancelled', required_action: null });
    expect((await alice.ok('getRun', { id: run.id })).body).toEqual(cancelled);
    expect(await messagesOf(alice, run.session_id)).toEqual(messages);
    const calls = messages.flatMap(({ tool_calls }) => tool_calls ?? []);
    expect(messages.filter(({ is_error: isError }) => isError)).toHaveLength(calls.length);
  }
  expect(await tasksTitled(alice, 'Begun')).toEqual([]);
});
