import { expect, it } from 'vitest';
import { engine, startTestServer } from '../support/server.ts';

it('/metrics reports requests in flight, the chart queue, render processes, runs, memory and database connections', async () => {
  const server = await startTestServer();
  const alice = await server.as('alice');
  const { body: agent } = await alice.ok('createAgent', { body: { name: 'Planner', skills: ['tasks'] } });
  await alice.ok('runAgent', { id: agent.id, body: { input: 'list my tasks' } });

  const text = await (await fetch(`${server.url}/metrics`)).text();

  const lines = [
    'http_requests_in_flight 0',
    'chart_queue_length 0',
    'chart_workers 0',
    'chart_worker_exits_total 0',
  ];
  for (const line of [...lines, 'agent_runs_total{outcome="completed"} 1', 'process_resident_memory_bytes']) {
    expect(text).toContain(`\n${line}`);
  }
  expect(text.includes('\ndatabase_connections ')).toBe(engine === 'postgres');
});
