import { describe, expect } from 'vitest';
import type { Schemas } from '../../../../server/src/operation.ts';
import { createAgent, endedRun, messagesOf, runAgent } from '../../../support/agents.ts';
import { callsOf, tasksTitled, waitingRun } from '../../../support/approvals.ts';
import { textResponse, toolCallResponse } from '../../../support/model-server.ts';
import { spec } from '../../../support/spec.ts';
import { auditLog } from '../../../support/tasks.ts';
import { startWithModel } from '../../../support/with-model.ts';

const { model, server, alice } = await startWithModel();
const agent = await createAgent(alice, { approvals: ['create_task', 'render_chart'] });

/** The body that approves the only call of a run with these arguments. */
function approvalWith(run: Schemas['Run'], values: object): { decisions: object[] } {
  return {
    decisions: callsOf(run).map(({ id }) => ({ tool_call_id: id, approve: true, arguments: values })),
  };
}

/** The payload of the first entry in the log of the task with this title. */
async function payloadOf(title: string): Promise<unknown> {
  const [task] = await tasksTitled(alice, title);
  const [entry] = await auditLog(alice, task?.id ?? '');
  return entry?.payload;
}

describe('a call that is approved with other arguments', () => {
  spec('decideToolCalls', 200, 'is executed with them, and the audit log says so', async () => {
    const run = await waitingRun(alice, agent, 'Boat');
    const body = approvalWith(run, { title: 'Raft', priority: 'low' });

    await alice.ok('decideToolCalls', { id: run.id, body });

    expect((await endedRun(alice, run)).output).toBe('Created the task "Raft".');
    expect(await tasksTitled(alice, 'Boat')).toEqual([]);
    expect(await tasksTitled(alice, 'Raft')).toMatchObject([{ priority: 'low' }]);
    const user = server.userId('alice');
    expect(await payloadOf('Raft')).toMatchObject({ approved_by: user, arguments_edited: true });
  });

  spec('decideToolCalls', 200, 'has a result that tells the model about the change', async () => {
    const local = await createAgent(alice, { runtime: 'local', approvals: ['*'] });
    model.respondWith(toolCallResponse('create_task', { title: 'Train' }), textResponse('Done.'));
    const context = { session_id: 'told' };
    const { body: run } = await runAgent(alice, local, 'Hi', { context });

    await alice.ok('decideToolCalls', { id: run.id, body: approvalWith(run, { title: 'Tram' }) });

    expect((await endedRun(alice, run)).status).toBe('completed');
    const result = model.requests.at(-1)?.messages.at(-1)?.content ?? '';
    expect(result).toMatch(
      /^The user changed the arguments of this call to \{"title":"Tram"\}\n\{.*"title":"Tram"/,
    );
    const messages = await messagesOf(alice, 'told');
    expect(messages[1]?.tool_calls).toMatchObject([{ arguments: { title: 'Train' } }]);
    expect(messages[2]?.content).toBe(result);
  });

  spec('decideToolCalls', 200, 'counts as unchanged if they are those of the model', async () => {
    const run = await waitingRun(alice, agent, 'Same');

    await alice.ok('decideToolCalls', { id: run.id, body: approvalWith(run, { title: 'Same' }) });

    await endedRun(alice, run);
    expect(await payloadOf('Same')).not.toHaveProperty('arguments_edited');
    expect((await messagesOf(alice, 'Same'))[2]?.content).toMatch(/^\{/);
  });

  spec('decideToolCalls', 200, 'is decided once, however often the decision is repeated', async () => {
    const run = await waitingRun(alice, agent, 'Canoe');
    const body = approvalWith(run, { title: 'Kayak', tags: 'water' });
    await alice.ok('decideToolCalls', { id: run.id, body });
    const ended = await endedRun(alice, run);

    const reordered = approvalWith(run, { tags: 'water', title: 'Kayak' });
    expect((await alice.ok('decideToolCalls', { id: run.id, body: reordered })).body).toEqual(ended);
    expect(await tasksTitled(alice, 'Kayak')).toHaveLength(1);
  });
});

describe('a decision with arguments', () => {
  spec('decideToolCalls', 400, 'is refused if it differs from the one before', async () => {
    const run = await waitingRun(alice, agent, 'Sloop');
    const first = approvalWith(run, { title: 'Yawl' });
    await alice.ok('decideToolCalls', { id: run.id, body: first });
    const plain = { decisions: callsOf(run).map(({ id }) => ({ tool_call_id: id, approve: true })) };
    const other = approvalWith(run, { title: 'Ketch' });

    for (const body of [plain, other]) {
      const { body: problem } = await alice.fails('decideToolCalls', 400, { id: run.id, body });
      expect(problem.errors).toMatchObject([{ pointer: '/decisions/0/arguments', code: 'conflicting' }]);
    }

    expect((await endedRun(alice, run)).output).toBe('Created the task "Yawl".');
  });

  spec(
    'decideToolCalls',
    400,
    'is refused if the tool does not take them, and nothing is decided',
    async () => {
      const run = await waitingRun(alice, agent, 'Barge');
      const cases: readonly (readonly [object, string, string])[] = [
        [{ title: 'x'.repeat(501) }, '/title', 'Title of arguments of item 1 of decisions must not'],
        [{ title: 7 }, '/title', 'Title of arguments of item 1 of decisions must be a string.'],
        [{}, '/title', 'Title of arguments of item 1 of decisions is required.'],
        [
          { title: 'x', titel: 'y' },
          '/titel',
          'Titel of arguments of item 1 of decisions is not an argument',
        ],
      ];

      for (const [values, pointer, detail] of cases) {
        const body = approvalWith(run, values);
        const { body: problem } = await alice.fails('decideToolCalls', 400, { id: run.id, body });
        expect(problem.errors).toEqual([
          expect.objectContaining({
            pointer: `/decisions/0/arguments${pointer}`,
            detail: expect.stringContaining(detail),
          }),
        ]);
      }

      expect((await alice.ok('getRun', { id: run.id })).body).toEqual(run);
    },
  );

  spec('decideToolCalls', 400, 'is refused for errors that no schema can express', async () => {
    const { body: run } = await runAgent(alice, agent, 'chart my tasks by status');
    const chart = { data: [{ label: 'a', value: 1 }], colors: ['blue', 'blurple'] };

    const { body } = await alice.fails('decideToolCalls', 400, {
      id: run.id,
      body: approvalWith(run, chart),
    });

    expect(body.errors?.map(({ pointer }) => pointer)).toEqual(['/decisions/0/arguments/colors/1']);
    await alice.ok('decideToolCalls', {
      id: run.id,
      body: approvalWith(run, { ...chart, colors: ['blue'] }),
    });
    expect((await endedRun(alice, run)).output).toMatch(/^Drew a bar chart/);
  });

  spec('decideToolCalls', 400, 'is refused for a rejection, and above 64 KiB', async () => {
    const run = await waitingRun(alice, agent, 'Dinghy');
    const [{ id: tool_call_id } = { id: '' }] = callsOf(run);
    const rejection = { tool_call_id, approve: false, arguments: { title: 'x' } };
    const large = { tool_call_id, approve: true, arguments: { title: 'x', description: 'x'.repeat(65_536) } };

    for (const decision of [rejection, large]) {
      const body = { decisions: [decision] };
      const { body: problem } = await alice.fails('decideToolCalls', 400, { id: run.id, body });
      expect(problem.errors?.map(({ pointer }) => pointer)).toEqual(['/decisions/0/arguments']);
    }
  });
});
