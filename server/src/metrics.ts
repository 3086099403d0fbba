import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';

/** What the server counts and measures, for Prometheus. Names and units follow its naming conventions. */
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
      help: 'Time to answer, by operation of the contract and status.',
      labelNames: ['operation', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    }),
    refusedConnections: new Counter({
      name: 'http_refused_connections_total',
      help: 'Connections that sent no readable request, by the status they were answered with.',
      labelNames: ['status'],
      registers,
    }),
    workerExits: new Counter({
      name: 'chart_worker_exits_total',
      help: 'Painter processes that ended by themselves and were replaced.',
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
