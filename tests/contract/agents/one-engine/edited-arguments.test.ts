import { describe, expect } from 'vitest';
import type { Schemas } from '../../../../server/src/contract/operation.ts';
import { createAgent, endedRun, messagesOf, runAgent } from '../../../support/agents.ts';
import {
  callsOf,
  decide,
  decisionsAbout,
  refusedAt,
  tasksTitled,
  waitingRun,
} from '../../../support/approvals.ts';
import { textResponse, toolCallResponse } from '../../../support/model-server.ts';
import { spec } from '../../../support/spec.ts';
import { startWithModel } from '../../../support/with-model.ts';

const { model, server, alice } = await startWithModel();
const agent = await createAgent(alice, { approvals: ['create_task', 'render_chart'] });

/** Approves the only call of a run with other arguments, and waits until the run has ended. */
async function approveWith(run: Schemas['Run'], values: Record<string, unknown>): Promise<Schemas['Run']> {
  await decide(alice, run, { approve: true, arguments: values });
  return endedRun(alice, run);
}

describe('a call that is approved with other arguments', () => {
  spec('decideToolCalls', 200, 'is executed with them, as its result and its decision say', async () => {
    const local = await createAgent(alice, { runtime: 'local', approvals: ['*'] });
    model.respondWith(toolCallResponse('create_task', { title: 'Train' }), textResponse('Done.'));
    const { body: run } = await runAgent(alice, local, 'Hi', { context: { session_id: 'told' } });

    expect((await approveWith(run, { title: 'Tram' })).status).toBe('completed');

    const result = model.requests.at(-1)?.messages.at(-1)?.content ?? '';
    const note = /^The user changed the arguments of this call to \{"title":"Tram"\}\n\{.*"title":"Tram"/;
    expect(result).toMatch(note);
    const messages = await messagesOf(alice, 'told');
    const decision = { approve: true, arguments: { title: 'Tram' }, by: server.userId('alice') };
    expect(messages[1]?.tool_calls).toMatchObject([{ arguments: { title: 'Train' }, decision }]);
    expect(messages[1]?.tool_calls?.[0]?.decision?.at).toMatch(/Z$/);
    expect(messages[2]?.content).toBe(result);
  });
});

describe('a decision with arguments', () => {
  spec('decideToolCalls', 400, 'may be repeated, and is refused if it differs', async () => {
    const run = await waitingRun(alice, agent, 'Sloop');
    const ended = await approveWith(run, { title: 'Yawl', tags: 'water' });

    const reordered = { tags: 'water', title: 'Yawl' };
    expect(await decide(alice, run, { approve: true, arguments: reordered })).toEqual(ended);
    for (const other of [{}, { arguments: { title: 'Ketch' } }]) {
      const request = decisionsAbout(run, { approve: true, ...other });
      const { body: problem } = await alice.fails('decideToolCalls', 400, request);
      expect(problem.errors).toMatchObject([{ pointer: '/decisions/0/arguments', code: 'conflicting' }]);
    }

    expect(ended.output).toBe('Created the task "Yawl".');
    expect(await tasksTitled(alice, 'Yawl')).toHaveLength(1);
    expect(await tasksTitled(alice, 'Sloop')).toEqual([]);
  });

  spec('decideToolCalls', 400, 'is refused if the tool does not take them, and decides nothing', async () => {
    const run = await waitingRun(alice, agent, 'Barge');
    const cases = [
      [{ title: 'x'.repeat(501) }, '/title', 'Title of arguments of item 1 of decisions must not'],
      [{ title: 7 }, '/title', 'Title of arguments of item 1 of decisions must be a string.'],
      [{}, '/title', 'Title of arguments of item 1 of decisions is required.'],
      [{ title: 'x', titel: 'y' }, '/titel', 'Titel of arguments of item 1 of decisions is not an argument'],
    ] as const;

    for (const [values, pointer, detail] of cases) {
      const request = decisionsAbout(run, { approve: true, arguments: { ...values } });
      const { body: problem } = await alice.fails('decideToolCalls', 400, request);
      expect(problem.errors).toHaveLength(1);
      expect(problem.errors?.[0]?.pointer).toBe(`/decisions/0/arguments${pointer}`);
      expect(problem.errors?.[0]?.detail).toContain(detail);
    }

    expect((await alice.ok('getRun', { id: run.id })).body).toEqual(run);
  });

  spec('decideToolCalls', 400, 'is refused for a rejection, and above 64 KiB', async () => {
    const run = await waitingRun(alice, agent, 'Dinghy');
    const [{ id: tool_call_id } = { id: '' }] = callsOf(run);
    const rejection = { approve: false, arguments: { title: 'x' } };
    const large = { approve: true, arguments: { title: 'x', description: 'x'.repeat(65_536) } };

    for (const decision of [rejection, large])
      expect(await refusedAt(alice, run, { tool_call_id, ...decision })).toEqual(['/decisions/0/arguments']);
  });
});
