import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { isShareable, startTestServer } from '../support/server.ts';

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
    'http_requests_in_flight_limit 256',
    'chart_queue_length_limit 50',
    'chart_workers_resident_memory_bytes 0',
    'agent_runs_queued 0',
    'agent_runs_oldest_queued_seconds 0',
    'agent_runs_total{outcome="failed"} 0',
    'agent_run_duration_seconds_count{outcome="completed"} 1',
    'chart_render_duration_seconds_count{format="png"} 0',
    'http_request_duration_seconds_count{operation="renderPdf",status="500"} 0',
    'worktable_ready 1',
    'worktable_build_info{version="0.1.0",',
  ];
  for (const line of [...lines, 'agent_runs_total{outcome="completed"} 1', 'process_resident_memory_bytes']) {
    expect(text).toContain(`\n${line}`);
  }
  expect(text.includes('\ndatabase_connections ')).toBe(isShareable);
});

it("/metrics has every metric that the alerts of the operator's page read", async () => {
  const page = await readFile(new URL('../../server/README.md', import.meta.url), 'utf8');
  const [rules = ''] = /```yaml\ngroups:[\s\S]*?```/.exec(page) ?? [];
  const names = rules.match(/\b(?:worktable|http|agent)_[a-z_]+/g) ?? [];
  const server = await startTestServer();

  const text = await (await fetch(`${server.url}/metrics`)).text();

  expect(names).toHaveLength(4);
  for (const name of names) expect(text).toMatch(new RegExp(`^${name}[ {]`, 'm'));
});
