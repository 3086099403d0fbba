import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Schemas } from '../../server/src/contract/operation.ts';
import { createAgent, messagesOf, noLimits, runAgent } from '../support/agents.ts';
import { eventsFrom, summarizeEvents } from '../support/events.ts';
import { modelEnv } from '../support/model-server.ts';
import { startTestServer } from '../support/server.ts';
import { loadPeer } from './peers.ts';

const { LLMock } = await loadPeer('aimock');
const mock = new LLMock({ port: 0, host: '127.0.0.1' });
await mock.start();
const server = await startTestServer({ env: { ...noLimits, ...modelEnv({ url: `${mock.url}/v1` }) } });
const alice = await server.as('alice');
const agent = await createAgent(alice, { runtime: 'local', skills: ['tasks', 'viz'] });

afterAll(() => mock.stop());

/** What the first page shows: create and list a task, and draw a chart. */
beforeEach(() => {
  const call = (name: string, values: object): object => ({
    toolCalls: [{ name, arguments: JSON.stringify(values) }],
  });
  const chart = { chart_type: 'bar', data: [{ label: 'todo', value: 1 }] };
  mock.reset();
  mock
    .on({ userMessage: 'create', hasToolResult: false }, call('create_task', { title: 'Buy milk' }))
    .on({ userMessage: 'create', hasToolResult: true }, { content: 'Created the task "Buy milk".' })
    .on({ userMessage: 'chart', hasToolResult: false }, call('render_chart', chart))
    .on({ userMessage: 'chart', hasToolResult: true }, { content: 'Here is the chart.' });
});

describe('a model server that is not ours', () => {
  it('takes the journey of the first page', async () => {
    const created = await runAgent(alice, agent, 'create a task titled Buy milk');
    const drawn = await runAgent(alice, agent, 'chart my tasks by status');

    expect(created.body).toMatchObject({ status: 'completed', output: 'Created the task "Buy milk".' });
    expect(created.body.usage?.input_tokens).toBeGreaterThan(0);
    expect(drawn.body).toMatchObject({ status: 'completed', output: 'Here is the chart.' });
    expect((await alice.ok('listTasks', { query: { q: 'Buy milk' } })).body.count).toBe(1);
    const messages = await messagesOf(alice, drawn.body.session_id);
    expect(messages.flatMap(({ attachments }) => attachments ?? [])).toHaveLength(1);
  });

  it('streams', async () => {
    const request = {
      id: agent.id,
      body: { input: 'create a task' },
      headers: { Accept: 'text/event-stream' },
    };

    const { body } = await alice.send('runAgent', request);

    const events = summarizeEvents(eventsFrom(String(body)));
    expect(events.some((line) => line.startsWith('message.delta'))).toBe(true);
    expect(events.at(-1)).toBe('run.completed completed');
  });

  it.each(['rateLimitRate', 'dropRate', 'malformedRate', 'disconnectRate'])(
    'with %s of a third, each run ends, and one that is completed has created its task once',
    async (kind) => {
      mock.setChaos({ [kind]: 1 / 3 });

      const runs: Schemas['Run'][] = [];
      for (let n = 0; n < 6; n += 1) runs.push((await runAgent(alice, agent, `create ${kind}`)).body);

      mock.clearChaos();
      for (const { session_id: id, status } of runs) {
        const results = (await messagesOf(alice, id)).filter(({ role }) => role === 'tool');
        expect(['completed', 'failed']).toContain(status);
        if (status === 'completed') expect(results).toHaveLength(1);
      }
      if (kind === 'rateLimitRate')
        expect(runs.map(({ status }) => status)).toEqual(Array(6).fill('completed'));
    },
  );
});
