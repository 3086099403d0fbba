import { expect, it, onTestFinished } from 'vitest';
import { openContract } from '../../server/src/contract/contract.ts';
import { operations } from '../../server/src/contract/registry.ts';
import { createAgent, runAgent, startRun } from '../support/agents.ts';
import { currentMetrics } from '../support/metrics.ts';
import { operationIds } from '../support/requests.ts';
import { isShareable, startTestServer } from '../support/server.ts';
import { startedRun, startWithModel } from '../support/with-model.ts';

const server = await startTestServer();

it('/metrics has a counter at 0 for every documented status of each operation', async () => {
  const contract = await openContract(operations);

  const text = await currentMetrics(server);

  for (const operation of operationIds)
    for (const status of Object.keys(contract.operation(operation).responses))
      expect(text).toContain(`\nhttp_requests_total{operation="${operation}",status="${status}"} 0`);
});

it('/metrics reports requests, the chart queue, render processes, runs, memory and connections, and no names', async () => {
  const alice = await server.as('alice');
  const agent = await createAgent(alice);
  await runAgent(alice, agent, 'list my tasks');
  await alice.fails('getAgent', 404, { id: 'none' });

  const text = await currentMetrics(server);

  for (const line of [
    'http_requests_in_flight 0',
    'chart_queue_length 0',
    'chart_worker_exits_total 0',
    'http_requests_in_flight_limit 400',
    'chart_queue_length_limit 80',
    'chart_workers_resident_memory_bytes 0',
    'agent_runs_queued 0',
    'agent_runs_oldest_queued_seconds 0',
    'agent_runs_total{outcome="completed"} 1',
    'agent_runs_total{outcome="failed"} 0',
    'http_requests_total{operation="createAgent",status="200"} 1',
    'http_requests_total{operation="getAgent",status="404"} 1',
    'http_requests_total{operation="renderPdf",status="500"} 0',
    'http_request_duration_seconds_count{operation="renderPdf"} 0',
    'worktable_ready 1',
    'process_resident_memory_bytes',
  ])
    expect(text).toContain(`\n${line}`);
  expect(text.includes('\ndatabase_connections ')).toBe(isShareable);
  expect(text).not.toMatch(new RegExp(`alice|${agent.id}`));
});

it('/metrics shows how many workers of each runtime are busy, and how long a run has waited for one', async () => {
  const busy = await startWithModel({ AGENT_CONCURRENCY: '1' });
  const { release } = await startedRun(busy, 'busy');
  onTestFinished(release);

  const text = await currentMetrics(busy.server);
  await startRun(busy.alice, busy.agent, 'Next', 'busy');
  const behind = [await currentMetrics(busy.server), await currentMetrics(busy.server)];
  await startRun(busy.alice, busy.agent, 'Next', 'another');
  const waiting = await currentMetrics(busy.server);

  expect(text.match(/^agent_runs_active\b.*/gm)).toEqual([
    'agent_runs_active{runtime="builtin"} 0',
    'agent_runs_active{runtime="local"} 1',
  ]);
  expect(text).toContain('\nagent_runs_active_limit 1\n');
  // A run that waits for another of its session does not count.
  for (const each of behind) {
    expect(each).toContain('\nagent_runs_queued 1\n');
    expect(each).toContain('\nagent_runs_oldest_queued_seconds 0\n');
  }
  // The run in the session "another" waits because no worker is left for its user.
  expect(waiting).toContain('\nagent_runs_queued 2\n');
  expect(waiting).toMatch(/^agent_runs_oldest_queued_seconds (?!0$)[\d.]+$/m);
});
