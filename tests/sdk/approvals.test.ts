import { describe, expect, it } from 'vitest';
import { BadRequestError, createClient, type Run, type RunEvent } from '../../sdk/src/index.ts';
import { sharedServer } from '../support/server.ts';

const server = sharedServer();
const client = createClient({ baseUrl: server.url, token: await server.token('alice') });
const agent = await client.agents.create({ name: 'Careful', skills: ['tasks'], approvals: ['create_task'] });

type Decisions = Parameters<typeof client.runs.approve>[1];

function decisionsOn(run: Run, approve: boolean): Decisions {
  return (run.required_action?.tool_calls ?? []).map(({ id }) => ({ tool_call_id: id, approve }));
}

describe('a run that requires action', () => {
  it('is returned by run and wait, and completes once its calls are approved', async () => {
    const run = await client.agents.run(agent.id, { input: 'create a task titled Buy a boat' });
    const waiting = await client.runs.wait(run.id);
    await client.runs.approve(run.id, decisionsOn(waiting, true));
    const completed = await client.runs.wait(run.id);

    expect([run.status, waiting]).toEqual(['requires_action', run]);
    expect(completed).toMatchObject({ status: 'completed', output: 'Created the task "Buy a boat".' });
    expect(await client.runs.approve(run.id, decisionsOn(waiting, true))).toEqual(completed);
    await expect(client.runs.approve(run.id, decisionsOn(waiting, false))).rejects.toThrow(BadRequestError);
  });

  it('is followed through its approval until it is finished', async () => {
    const waiting = await client.agents.run(agent.id, { input: 'create a task titled Buy milk' });
    const events: RunEvent[] = [];

    for await (const event of client.runs.stream(waiting.id, { until: 'finished' })) {
      events.push(event);
      if (event.event === 'run.requires_action')
        await client.runs.approve(waiting.id, decisionsOn(event.data, true));
    }

    expect(events.at(-1)).toMatchObject({ event: 'run.completed', data: { status: 'completed' } });
    expect(await client.tasks.list({ q: 'Buy milk' }).toArray()).toHaveLength(1);
  });
});
