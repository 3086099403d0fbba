import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { runAgent } from '../support/agents.ts';
import { isShareable, startTestServer } from '../support/server.ts';
import { startedRun, startWithModel } from '../support/with-model.ts';

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
    'http_requests_in_flight_limit 400',
    'chart_queue_length_limit 80',
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

describe('agent_runs_oldest_queued_seconds', () => {
  it('is the wait of the oldest run when it is read, also of a run whose user has no worker left', async () => {
    const { url, release } = await startWithQueuedRun('another');

    const text = await (await fetch(`${url}/metrics`)).text();
    release();

    expect(text).toContain('\nagent_runs_queued 1\n');
    expect(text).toMatch(/^agent_runs_oldest_queued_seconds (?!0$)[\d.]+$/m);
  });

  it('does not count a run that waits for an earlier run of its session', async () => {
    const { url, release } = await startWithQueuedRun('busy');

    const texts = [];
    for (let i = 0; i < 2; i++) texts.push(await (await fetch(`${url}/metrics`)).text());
    release();

    for (const text of texts) {
      expect(text).toContain('\nagent_runs_queued 1\n');
      expect(text).toContain('\nagent_runs_oldest_queued_seconds 0\n');
    }
  });
});

it("/metrics has every metric that the alerts of the operator's page read", async () => {
  const page = await readFile(new URL('../../server/README.md', import.meta.url), 'utf8');
  const [rules = ''] = /```yaml\ngroups:[\s\S]*?```/.exec(page) ?? [];
  const names = rules.match(/\b(?:worktable|http|agent)_[a-z_]+/g) ?? [];
  const server = await startTestServer();

  const text = await (await fetch(`${server.url}/metrics`)).text();

  expect(names).toHaveLength(9);
  for (const name of names) expect(text).toMatch(new RegExp(`^${name}[ {]`, 'm'));
});

/** Starts a server whose user has a run in the session `busy`, which is all that the user may have, and queues another. */
async function startWithQueuedRun(sessionId: string): Promise<{ url: string; release: () => void }> {
  const { model, server, alice, agent } = await startWithModel({}, {}, { agents: { concurrencyPerUser: 1 } });
  const { release } = await startedRun({ model, alice, agent }, 'busy');
  const headers = { Prefer: 'respond-async' };
  await runAgent(alice, agent, 'Next', { context: { session_id: sessionId }, headers });
  return { url: server.url, release };
}
