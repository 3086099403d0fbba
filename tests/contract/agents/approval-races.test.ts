import { describe, expect, it } from 'vitest';
import type { Schemas } from '../../../server/src/operation.ts';
import { createAgent, endedRun, messagesOf, runAgent } from '../../support/agents.ts';
import type { Answer } from '../../support/client.ts';
import { sharedServer } from '../../support/server.ts';

const rounds = Array.from({ length: 12 }, (_, n) => n);

const alice = await sharedServer().as('alice');
const agent = await createAgent(alice, { approvals: ['create_task'] });

interface Waiting {
  readonly run: Schemas['Run'];
  readonly decide: (approve: boolean, values?: object) => Promise<Answer<unknown>>;
  /** The numbers of tasks, of tool results, and of tool results that succeeded. */
  readonly effects: () => Promise<{ tasks: number; results: number; succeeded: number }>;
}

async function waitingRun(title: string): Promise<Waiting> {
  const context = { session_id: title.replaceAll(' ', '-') };
  const { body: run } = await runAgent(alice, agent, `create a task titled ${title}`, { context });
  const calls = run.required_action?.tool_calls ?? [];
  return {
    run,
    decide: (approve, values) => {
      const decisions = calls.map(({ id }) => ({ tool_call_id: id, approve, arguments: values }));
      return alice.send('decideToolCalls', { id: run.id, body: { decisions } });
    },
    effects: async () => {
      const { count } = (await alice.ok('listTasks', { query: { q: title } })).body;
      const results = (await messagesOf(alice, run.session_id)).filter(({ role }) => role === 'tool');
      const succeeded = results.filter(({ is_error }) => !is_error);
      return { tasks: count, results: results.length, succeeded: succeeded.length };
    },
  };
}

/** Lets the second of two requests begin a little later in each round. */
function delay(round: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, round - 2) * 2));
}

describe('decisions that are made at the same time', () => {
  it('take effect once if they are equal', async () => {
    for (const round of rounds) {
      const { run, decide, effects } = await waitingRun(`Equal ${round}`);

      const answers = await Promise.all([decide(true), decide(true), delay(round).then(() => decide(true))]);

      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect((await endedRun(alice, run)).status).toBe('completed');
      expect(await effects()).toEqual({ tasks: 1, results: 1, succeeded: 1 });
    }
  });

  it('have one winner if they contradict each other', async () => {
    for (const round of rounds) {
      const { run, decide, effects } = await waitingRun(`Contrary ${round}`);

      const [approval, rejection] = await Promise.all([decide(true), decide(false)]);

      const isApproved = approval.status === 200;
      expect([approval.status, rejection.status].toSorted()).toEqual([200, 400]);
      expect((await endedRun(alice, run)).status).toBe('completed');
      expect(await effects()).toEqual({
        tasks: isApproved ? 1 : 0,
        results: 1,
        succeeded: isApproved ? 1 : 0,
      });
    }
  });
});

describe('approvals with different arguments at the same time', () => {
  it('have one winner, whose arguments take effect', async () => {
    for (const round of rounds) {
      const { run, decide, effects } = await waitingRun(`Edited ${round}`);
      const titles = ['one', 'two'].map((each) => `Edited ${round} ${each}`);

      const answers = await Promise.all(titles.map((title) => decide(true, { title })));

      const winner = titles[answers.findIndex(({ status }) => status === 200)];
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
      expect((await endedRun(alice, run)).output).toBe(`Created the task "${winner}".`);
      expect(await effects()).toEqual({ tasks: 1, results: 1, succeeded: 1 });
    }
  });
});

describe('an approval and a cancellation at the same time', () => {
  it('leave a whole log and at most one effect, which the log reports', async () => {
    for (const round of rounds) {
      const { run, decide, effects } = await waitingRun(`Cancelled ${round}`);

      const [approval, cancellation] = await Promise.all([
        decide(true),
        delay(round).then(() => alice.ok('cancelRun', { id: run.id })),
      ]);

      const ended = await endedRun(alice, run);
      const after = await effects();
      expect([200, 400]).toContain(approval.status);
      expect(cancellation.body).toEqual(ended);
      expect(['cancelled', 'completed']).toContain(ended.status);
      expect(after.results).toBe(1);
      expect(after.tasks).toBe(after.succeeded);
      await new Promise((resolve) => setTimeout(resolve, 30));
      expect(await effects()).toEqual(after);
      expect((await alice.ok('getRun', { id: run.id })).body).toEqual(ended);
    }
  });
});

describe('a cancellation while a run begins to wait', () => {
  it('leaves no call that waits, and no effect', async () => {
    for (const round of rounds) {
      const context = { session_id: `begun-${round}` };
      const headers = { Prefer: 'respond-async' };
      const input = `create a task titled Begun ${round}`;
      const { body: run } = await runAgent(alice, agent, input, { context, headers });
      await delay(round);

      const { body: cancelled } = await alice.ok('cancelRun', { id: run.id });
      const messages = await messagesOf(alice, run.session_id);
      await new Promise((resolve) => setTimeout(resolve, 30));

      expect(cancelled).toMatchObject({ status: 'cancelled', required_action: null });
      expect((await alice.ok('getRun', { id: run.id })).body).toEqual(cancelled);
      expect(await messagesOf(alice, run.session_id)).toEqual(messages);
      const calls = messages.flatMap(({ tool_calls }) => tool_calls ?? []);
      expect(messages.filter(({ is_error: isError }) => isError)).toHaveLength(calls.length);
    }
    expect((await alice.ok('listTasks', { query: { q: 'Begun' } })).body.count).toBe(0);
  });
});

describe('an approval and the deletion of the session at the same time', () => {
  it('leave nothing of the session', async () => {
    for (const round of rounds) {
      const title = `Deleted ${round}`;
      const { run, decide } = await waitingRun(title);

      const [approval] = await Promise.all([
        decide(true),
        delay(round).then(() => alice.ok('deleteSession', { id: run.session_id })),
      ]);
      const { count } = (await alice.ok('listTasks', { query: { q: title } })).body;
      await new Promise((resolve) => setTimeout(resolve, 30));

      expect([200, 404]).toContain(approval.status);
      await alice.fails('getRun', 404, { id: run.id });
      await alice.fails('getSession', 404, { id: run.session_id });
      expect(count).toBeLessThanOrEqual(1);
      expect((await alice.ok('listTasks', { query: { q: title } })).body.count).toBe(count);
    }
  });
});
