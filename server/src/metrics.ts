import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';
import type { OperationId, Schemas } from './operation.ts';

/** The server's metrics for Prometheus. Names and units follow its naming conventions. */
export interface Metrics {
  readonly registry: Registry;
  readonly requestSeconds: Histogram<'operation' | 'status'>;
  readonly statementSeconds: Histogram;
  readonly renderSeconds: Histogram<'format'>;
  readonly runSeconds: Histogram<'outcome'>;
  readonly runs: Counter<'outcome'>;
  readonly refusedConnections: Counter<'status'>;
  readonly workerExits: Counter;
}

const help = {
  http_request_duration_seconds: 'Response time, by operation of the contract and status.',
  database_statement_duration_seconds:
    'Time from sending a statement to Postgres to its result, with its wait behind others on the connection.',
  chart_render_duration_seconds: 'Time that a render process takes for a picture, by format.',
  agent_run_duration_seconds:
    'Time from the first attempt of a run to its end, without waits for approvals, by outcome.',
  agent_runs_total: 'Runs that this process finished, by outcome.',
  http_refused_connections_total:
    'Requests that were refused before an operation was looked up, by the status of the response.',
  chart_worker_exits_total: 'Render processes that exited unexpectedly and were replaced.',
} as const;

type Name = keyof typeof help;

const requestBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const runBuckets = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];

/** Counters of known operations and outcomes begin at 0. */
export function createMetrics(operationIds: readonly OperationId[]): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const histogram = <Label extends string>(
    name: Name,
    labelNames: readonly Label[],
    buckets: number[],
  ): Histogram<Label> => new Histogram({ name, help: help[name], labelNames, buckets, registers });
  const counter = <Label extends string>(name: Name, labelNames: readonly Label[]): Counter<Label> =>
    new Counter({ name, help: help[name], labelNames, registers });
  const metrics = {
    registry,
    requestSeconds: histogram('http_request_duration_seconds', ['operation', 'status'], requestBuckets),
    statementSeconds: histogram('database_statement_duration_seconds', [], requestBuckets),
    renderSeconds: histogram('chart_render_duration_seconds', ['format'], requestBuckets),
    runSeconds: histogram('agent_run_duration_seconds', ['outcome'], runBuckets),
    runs: counter('agent_runs_total', ['outcome']),
    refusedConnections: counter('http_refused_connections_total', ['status']),
    workerExits: counter('chart_worker_exits_total', []),
  };
  beginAtZero(metrics, operationIds);
  return metrics;
}

/** The statuses in which runs end. */
const outcomes: Readonly<
  Record<Exclude<Schemas['RunStatus'], 'queued' | 'running' | 'requires_action'>, true>
> = { completed: true, incomplete: true, failed: true, cancelled: true };

/** `rate()` does not see the first increase of a label that was not there before. */
function beginAtZero(
  { requestSeconds, renderSeconds, runSeconds, runs, refusedConnections }: Metrics,
  operationIds: readonly OperationId[],
): void {
  for (const operation of operationIds) {
    for (const status of [200, 500, 503]) requestSeconds.zero({ operation, status });
  }
  requestSeconds.zero({ operation: 'none', status: 503 });
  for (const format of ['png', 'pdf']) renderSeconds.zero({ format });
  for (const outcome of Object.keys(outcomes)) {
    runSeconds.zero({ outcome });
    runs.inc({ outcome }, 0);
  }
  for (const status of [400, 408, 417, 431, 503]) refusedConnections.inc({ status }, 0);
}
