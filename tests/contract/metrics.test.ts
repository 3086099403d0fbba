import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { openContract } from '../../server/src/contract/contract.ts';
import { createAgent, runAgent } from '../support/agents.ts';
import { errorResponse } from '../support/model-server.ts';
import { currentMetrics } from '../support/metrics.ts';
import { versionOf } from '../support/installed.ts';
import { operationIds } from '../support/requests.ts';
import { isShareable, startTestServer } from '../support/server.ts';
import { startedRun, startWithModel } from '../support/with-model.ts';

const monitoring = new URL('../../server/monitoring/', import.meta.url);

const server = await startTestServer({
  env: { MCP_SKILLS: 'files', MCP_SKILL_FILES_URL: 'http://127.0.0.1:9/mcp' },
});
const scrape = async (): Promise<string> => (await fetch(`${server.url}/metrics`)).text();

it('/metrics has a counter at 0 for every documented status of each operation', async () => {
  const contract = await openContract();

  const text = await scrape();

  for (const operation of operationIds)
    for (const status of Object.keys(contract.operation(operation).responses))
      expect(text).toContain(`\nhttp_requests_total{operation="${operation}",status="${status}"} 0`);
});

it('/metrics has one body for scrapes at the same moment', async () => {
  let first = '';
  // On a busy machine, the first body may expire before the second request.
  const areEqual = async (): Promise<boolean> => {
    const [one, another] = await Promise.all([scrape(), scrape()]);
    first = one;
    return one === another;
  };

  await expect.poll(areEqual).toBe(true);
  await expect.poll(scrape).not.toBe(first);
});

it('/metrics reports requests in flight, the chart queue, render processes, runs, memory and database connections', async () => {
  const alice = await server.as('alice');
  await runAgent(alice, await createAgent(alice), 'list my tasks');

  const text = await currentMetrics(server);

  for (const line of [
    'http_requests_in_flight 0',
    'chart_queue_length 0',
    'chart_workers 0',
    'chart_worker_exits_total 0',
    'http_requests_in_flight_limit 400',
    'chart_queue_length_limit 80',
    'chart_workers_resident_memory_bytes 0',
    'agent_runs_queued 0',
    'agent_runs_oldest_queued_seconds 0',
    'agent_runs_total{outcome="completed"} 1',
    'agent_runs_total{outcome="failed"} 0',
    'agent_run_duration_seconds_count{outcome="completed"} 1',
    'chart_render_duration_seconds_count{format="png"} 0',
    'http_requests_total{operation="renderPdf",status="500"} 0',
    'http_request_duration_seconds_count{operation="renderPdf"} 0',
    'worktable_ready 1',
    'worktable_build_info{version="0.1.0",',
    'process_resident_memory_bytes',
  ])
    expect(text).toContain(`\n${line}`);
  expect(text.includes('\ndatabase_connections ')).toBe(isShareable);
});

it('/metrics shows for each configured runtime how many of its workers are busy', async () => {
  const { model, server, alice, agent } = await startWithModel({ AGENT_CONCURRENCY: '1' });
  const { release } = await startedRun({ model, alice, agent }, 'busy');

  const text = await currentMetrics(server);
  release();

  expect(text.match(/^agent_runs_active\b.*/gm)).toEqual([
    'agent_runs_active{runtime="builtin"} 0',
    'agent_runs_active{runtime="local"} 1',
  ]);
  expect(text.match(/^agent_runs_active_limit\b.*/gm)).toEqual([
    'agent_runs_active_limit{runtime="builtin"} 1',
    'agent_runs_active_limit{runtime="local"} 1',
  ]);
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

  it('counts neither a run that waits for its model server nor the runs behind it', async () => {
    const { url } = await startWithWaitingRun();

    const text = await currentMetrics({ url });

    expect(text).toContain('\nagent_runs_queued 1\n');
    expect(text).toContain('\nagent_runs_oldest_queued_seconds 0\n');
  });

  it('begins when the run may begin', async () => {
    const { url, release, cancelWaiting } = await startWithWaitingRun();
    const cancelledMs = performance.now();

    await cancelWaiting();

    const text = await currentMetrics({ url });
    const elapsedS = (performance.now() - cancelledMs) / 1000;
    release();
    const [, seconds] = /^agent_runs_oldest_queued_seconds (.+)$/m.exec(text) ?? [];
    expect(Number(seconds)).toBeGreaterThan(0);
    expect(Number(seconds)).toBeLessThanOrEqual(elapsedS);
  });
});

it('/metrics has every metric that the alerts and the dashboard read', async () => {
  const files = await Promise.all(['alerts.yaml', 'dashboard.json'].map(readMonitoring));
  const names = new Set(
    files
      .join()
      .match(/\b(?:worktable|http|database|chart|change|agent|token|log|process|nodejs)_[a-z0-9_]+/g),
  );
  const withIssuer = await startTestServer({ env: { JWT_SECRET: '', JWKS_URL: 'http://127.0.0.1:9/keys' } });
  const ofIssuer = await (await fetch(`${withIssuer.url}/metrics`)).text();

  const text = (await scrape()) + ofIssuer;

  expect(names.size).toBeGreaterThanOrEqual(30);
  const ofThisEngine = [...names].filter((name) => isShareable || !name.startsWith('database_'));
  expect(ofThisEngine.filter((name) => !new RegExp(`^${name}[ {]`, 'm').test(text))).toEqual([]);
});

it('each alert has a runbook', async () => {
  const alerts = (await readMonitoring('alerts.yaml')).match(/(?<=alert: )\w+/g);

  const runbooks = (await readMonitoring('runbooks.md')).match(/(?<=^## )\w+$/gm);

  expect(runbooks).toEqual(alerts);
});

const promtool = versionOf('promtool');
if (promtool === undefined)
  console.warn(
    'promtool is missing, so the alerts are not tried. Install it (Debian: apt-get install prometheus).',
  );

it.runIf(promtool !== undefined)('promtool finds that the alerts fire when they should', () => {
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', 'alerts.test.yaml'], {
    cwd: monitoring,
    encoding: 'utf8',
  });

  expect(stdout + stderr).toContain('SUCCESS');
  expect(status).toBe(0);
});

function readMonitoring(file: string): Promise<string> {
  return readFile(new URL(file, monitoring), 'utf8');
}

/** Starts a server whose only worker executes a run of the session `busy`, and queues another run. */
async function startWithQueuedRun(sessionId: string): Promise<{ url: string; release: () => void }> {
  const { model, server, alice, agent } = await startWithModel({ AGENT_CONCURRENCY: '1' });
  const { release } = await startedRun({ model, alice, agent }, 'busy');
  const headers = { Prefer: 'respond-async' };
  await runAgent(alice, agent, 'Next', { context: { session_id: sessionId }, headers });
  return { url: server.url, release };
}

/**
 * Starts a server with three runs. The first waits for its model server, the second is queued behind the first, and the
 * third, in another session, occupies the only worker.
 */
async function startWithWaitingRun(): Promise<{
  url: string;
  release: () => void;
  cancelWaiting: () => Promise<unknown>;
}> {
  const { model, server, alice, agent } = await startWithModel({ AGENT_CONCURRENCY: '1' });
  model.respondWith(errorResponse(503, { 'Retry-After': '50' }));
  const input = { context: { session_id: 'waiting' }, headers: { Prefer: 'respond-async' } };
  const { body: waiting } = await runAgent(alice, agent, 'One', input);
  await expect.poll(() => model.requests.length).toBe(1);
  // The only worker takes this run when the other run waits.
  const { release } = await startedRun({ model, alice, agent }, 'busy');
  await runAgent(alice, agent, 'Two', input);
  return { url: server.url, release, cancelWaiting: () => alice.ok('cancelRun', { id: waiting.id }) };
}
