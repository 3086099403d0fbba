import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';

/** The server's metrics for Prometheus. Names and units follow its naming conventions. */
export interface Metrics {
  readonly registry: Registry;
  readonly requestSeconds: Histogram<'operation' | 'status'>;
  readonly refusedConnections: Counter<'status'>;
  readonly workerExits: Counter;
  readonly runs: Counter<'outcome'>;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    requestSeconds: new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Response time, by operation of the contract and status.',
      labelNames: ['operation', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    }),
    refusedConnections: new Counter({
      name: 'http_refused_connections_total',
      help: 'Connections whose request could not be read, by the status of the response.',
      labelNames: ['status'],
      registers,
    }),
    workerExits: new Counter({
      name: 'chart_worker_exits_total',
      help: 'Render processes that exited unexpectedly and were replaced.',
      registers,
    }),
    runs: new Counter({
      name: 'agent_runs_total',
      help: 'Runs that this process finished, by outcome.',
      labelNames: ['outcome'],
      registers,
    }),
  };
}
