import { describe, expect, it } from 'vitest';
import { createClient, type RunEvent } from '../../sdk/src/index.ts';
import { startTestServer } from '../support/server.ts';
import { tokenFor } from '../support/tokens.ts';
import { collect, disconnect, problem, sseEvent, sseStream, startFakeServer } from './fake-server.ts';
import { completedRun, message, run } from './samples.ts';

const started = sseEvent('run.started', run);
const completed = sseEvent('run.completed', completedRun);
const asking = sseEvent('run.requires_action', { ...run, status: 'requires_action' });

function names(events: readonly RunEvent[]): string[] {
  return events.map(({ event, data }) => ('content' in data ? `${event} ${data.id}` : event));
}

describe('runs.stream', () => {
  it('begins with the first message, or after the one that is named', async () => {
    const server = await startFakeServer(sseStream([started, completed]), sseStream([completed]));
    const { runs } = server.client();

    await collect(runs.stream('r-1'));
    await collect(runs.stream('r-1', { lastEventId: '7', until: 'finished' }));

    expect(server.requests.map(({ url, headers }) => [url, headers['last-event-id']])).toEqual([
      ['/v1/runs/r-1?until=requires_action', undefined],
      ['/v1/runs/r-1?until=finished', '7'],
    ]);
  });

  it('continues after the last message when its connection breaks, in the middle of a text too', async () => {
    const delta = sseEvent('message.delta', { run_id: run.id, message_id: 'm-2', offset: 0, text: 'ne' });
    const server = await startFakeServer(
      sseStream([started, sseEvent('message', message('m-1', 'Do'), '1'), delta], 'disconnect'),
      disconnect,
      sseStream([delta, sseEvent('message', message('m-2', 'ne.'), '2'), completed]),
    );

    const events = await collect(server.client().runs.stream(run.id));

    expect(names(events)).toEqual([
      'run.started',
      'message m-1',
      'message.delta',
      'message.delta',
      'message m-2',
      'run.completed',
    ]);
    expect(server.requests.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '1', '1']);
  });

  it('ends when the run requires action, unless it goes on until the run is finished', async () => {
    const server = await startFakeServer(
      sseStream([started, asking]),
      sseStream([started, asking, completed]),
    );
    const { runs } = server.client();

    expect(names(await collect(runs.stream(run.id)))).toEqual(['run.started', 'run.requires_action']);
    expect(names(await collect(runs.stream(run.id, { until: 'finished' })))).toEqual([
      'run.started',
      'run.requires_action',
      'run.completed',
    ]);
  });

  it('can be iterated again, which opens another stream', async () => {
    const server = await startFakeServer(sseStream([started, completed]));
    const stream = server.client().runs.stream(run.id);

    expect(names(await collect(stream))).toEqual(names(await collect(stream)));
    expect(server.requests).toHaveLength(2);
  });

  it('reports a run that does not exist as any other call does', async () => {
    const server = await startFakeServer(problem(404, 'Run not found'));

    await expect(collect(server.client().runs.stream('r-1'))).rejects.toMatchObject({
      name: 'NotFoundError',
    });
    expect(server.requests).toHaveLength(1);
  });

  it('follows a run of a real server through an approval', async () => {
    const server = await startTestServer();
    const client = createClient({ baseUrl: server.url, token: await tokenFor('alice') });
    const agent = await client.agents.create({
      name: 'Careful',
      skills: ['tasks'],
      approvals: ['create_task'],
    });
    const waiting = await client.agents.run(agent.id, { input: 'create a task titled Buy milk' });
    const events: RunEvent[] = [];

    for await (const event of client.runs.stream(waiting.id, { until: 'finished' })) {
      events.push(event);
      if (event.event !== 'run.requires_action') continue;
      const calls = event.data.required_action?.tool_calls ?? [];
      await client.runs.approve(
        waiting.id,
        calls.map(({ id }) => ({ tool_call_id: id, approve: true })),
      );
    }

    expect(events.at(-1)).toMatchObject({ event: 'run.completed', data: { status: 'completed' } });
    expect(await client.tasks.list().toArray()).toHaveLength(1);
  });
});
