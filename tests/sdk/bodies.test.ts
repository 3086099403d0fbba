import { describe, expect, it } from 'vitest';
import { collect, json, problem, startFakeServer, sseStream } from './fake-server.ts';
import { completedRun, run, task } from './samples.ts';

describe('request bodies', () => {
  it('a request sends the body as it was at the call, even if the object changes afterwards', async () => {
    const server = await startFakeServer(json(201, { task }));
    const draft = { title: 'Buy milk' };

    const creating = server.client({ token: () => Promise.resolve('t') }).tasks.create(draft);
    draft.title = 'Buy bread';
    await creating;

    expect(server.requests[0]?.body).toBe('{"title":"Buy milk"}');
  });

  it('a retry sends the same body, even if the object has changed', async () => {
    const draft = { title: 'Buy milk' };
    const overloaded = problem(503, 'Overloaded', { 'Retry-After': '0' });
    const server = await startFakeServer(
      (response, request) => {
        draft.title = 'Buy bread';
        overloaded(response, request);
      },
      json(201, { task }),
    );

    await server.client().tasks.create(draft);

    expect(server.requests.map(({ body }) => body)).toEqual(['{"title":"Buy milk"}', '{"title":"Buy milk"}']);
  });

  it('a stream sends the body as it was at the call, although the run starts with the iteration', async () => {
    const completed = `event: run.completed\ndata: ${JSON.stringify(completedRun)}\n\n`;
    const server = await startFakeServer(json(202, run), sseStream([completed]));
    const draft = { input: 'list my tasks' };

    const events = server.client().agents.stream('1', draft);
    draft.input = 'delete my tasks';
    await collect(events);

    expect(server.requests[0]?.body).toBe('{"input":"list my tasks"}');
  });

  it('a body that cannot be serialized as JSON rejects the call before a request is sent', async () => {
    const server = await startFakeServer(json(200, {}));
    const context: Record<string, unknown> = {};
    context['self'] = context;
    const { agents } = server.client();

    await expect(agents.run('1', { input: 'x', context })).rejects.toThrow(/as JSON/);
    await expect(collect(agents.stream('1', { input: 'x', context }))).rejects.toThrow(/as JSON/);

    expect(server.requests).toHaveLength(0);
  });
});
