import { describe, expect, it } from 'vitest';
import { BadRequestError, createClient } from '../../sdk/src/index.ts';
import { startTestServer } from '../support/server.ts';
import { tokenFor } from '../support/tokens.ts';
import { collect } from './fake-server.ts';

const server = await startTestServer();
const client = createClient({ baseUrl: server.url, token: await tokenFor('alice') });
const agent = await client.agents.create({
  name: 'Careful',
  skills: ['tasks'],
  approvals: ['create_task'],
});
const agentId = agent.id;

describe('a run that requires action', () => {
  it('is returned by run and wait, and completes once its calls are approved', async () => {
    const run = await client.agents.run(agentId, { input: 'create a task titled Buy a boat' });
    const waiting = await client.runs.wait(run.id);
    const decisions = (waiting.required_action?.tool_calls ?? []).map(({ id }) => ({
      tool_call_id: id,
      approve: true,
    }));

    await client.runs.approve(run.id, decisions);
    const completed = await client.runs.wait(run.id);

    expect([run.status, waiting, decisions.length]).toEqual(['requires_action', run, 1]);
    expect(completed).toMatchObject({ status: 'completed', output: 'Created the task "Buy a boat".' });
    expect(await client.runs.approve(run.id, decisions)).toEqual(completed);
    await expect(
      client.runs.approve(
        run.id,
        decisions.map((each) => ({ ...each, approve: false })),
      ),
    ).rejects.toThrow(BadRequestError);
  });

  it('ends its stream with run.requires_action', async () => {
    const events = await collect(client.agents.stream(agentId, { input: 'create a task titled Buy a raft' }));

    expect(events.at(-1)).toMatchObject({
      event: 'run.requires_action',
      data: {
        required_action: { tool_calls: [{ name: 'create_task', arguments: { title: 'Buy a raft' } }] },
      },
    });
  });
});
