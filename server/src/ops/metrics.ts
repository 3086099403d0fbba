import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';
import type { AgentsConfig } from '../config/config.ts';
import { droppedLines } from './log.ts';
import type { OperationId, Schemas } from '../contract/operation.ts';

/** The metrics of the server. Names and units follow the naming conventions of Prometheus. */
export type Metrics = ReturnType<typeof metricsOf>;

const help = {
  http_requests_total: 'Requests, by operation of the contract and status.',
  http_request_duration_seconds: 'Response time, by operation of the contract.',
  database_statement_duration_seconds:
    'Time from sending a statement to Postgres to its result, with its wait behind others on the connection.',
  agent_runs_total: 'Runs that this process finished, by outcome.',
  agent_model_calls_total: 'Requests to model servers, by runtime and outcome.',
  agent_model_tokens_total: 'Tokens that model servers reported, by runtime and direction.',
  agent_mcp_failures_total: 'Calls and lists of tools that failed at an MCP server, by skill.',
  log_lines_dropped_total: 'Lines of the log that were dropped because standard output was blocked.',
  chart_worker_exits_total: 'Render processes that exited unexpectedly and were replaced.',
} as const;

type Name = keyof typeof help;

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

interface MetricsOptions {
  readonly operationIds: readonly OperationId[];
  /** An operation with its documented responses by status. */
  readonly contract: { readonly operation: (id: OperationId) => { readonly responses: object } };
  readonly agents: AgentsConfig;
}

/**
 * Creates the metrics. Counters begin at 0 for every documented status of each operation and every configured server.
 */
export function createMetrics({ operationIds, contract, agents }: MetricsOptions): Metrics {
  const metrics = metricsOf(new Registry());
  const { requests, requestSeconds, runs } = metrics;
  collectDefaultMetrics({ register: metrics.registry });
  // Without an initial 0, `rate()` would miss the first increase of a label.
  for (const operation of operationIds) {
    requestSeconds.zero({ operation });
    for (const status of Object.keys(contract.operation(operation).responses))
      requests.inc({ operation, status }, 0);
  }
  requests.inc({ operation: 'none', status: 503 }, 0);
  for (const outcome of Object.keys(outcomes)) runs.inc({ outcome }, 0);
  for (const runtime of ['builtin', ...agents.models.map(({ name }) => name)]) {
    for (const outcome of modelCallOutcomes) metrics.modelCalls.inc({ runtime, outcome }, 0);
    for (const direction of ['input', 'output']) metrics.modelTokens.inc({ runtime, direction }, 0);
  }
  for (const { name } of agents.mcpSkills) metrics.mcpFailures.inc({ skill: `mcp:${name}` }, 0);
  return metrics;
}

/** The result has an inferred type, which includes the labels of each metric. */
function metricsOf(registry: Registry) {
  const registers = [registry];
  const histogram = <Label extends string>(name: Name, labelNames: readonly Label[]): Histogram<Label> =>
    new Histogram({ name, help: help[name], labelNames, buckets, registers });
  const counter = <Label extends string>(name: Name, labelNames: readonly Label[]): Counter<Label> =>
    new Counter({ name, help: help[name], labelNames, registers });
  return {
    registry,
    requests: counter('http_requests_total', ['operation', 'status']),
    requestSeconds: histogram('http_request_duration_seconds', ['operation']),
    statementSeconds: histogram('database_statement_duration_seconds', []),
    runs: counter('agent_runs_total', ['outcome']),
    modelCalls: counter('agent_model_calls_total', ['runtime', 'outcome']),
    modelTokens: counter('agent_model_tokens_total', ['runtime', 'direction']),
    mcpFailures: counter('agent_mcp_failures_total', ['skill']),
    droppedLines: counter('log_lines_dropped_total', []),
    workerExits: counter('chart_worker_exits_total', []),
  };
}

/** The final statuses of runs. */
const outcomes: Readonly<
  Record<Exclude<Schemas['RunStatus'], 'queued' | 'running' | 'requires_action'>, true>
> = { completed: true, incomplete: true, failed: true, cancelled: true };

/** The outcomes of a request to a model server. An unavailable server is asked again. */
const modelCallOutcomes = ['answered', 'unavailable', 'failed'];

/** Counts dropped log lines until the returned function is called. */
export function countDroppedLines({ droppedLines: counter }: Metrics): () => void {
  const onDropped = (): void => {
    counter.inc();
  };
  droppedLines.subscribe(onDropped);
  return () => {
    droppedLines.unsubscribe(onDropped);
  };
}
