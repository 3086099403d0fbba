import { Gauge, type Registry } from 'prom-client';
import type { RunningAgents } from './agents/start.ts';
import type { Database } from './db/database.ts';
import type { ByteBudget } from './http/overload/byte-budget.ts';
import type { ConcurrencyLimit } from './http/overload/concurrency-limit.ts';
import type { ResponseBufferLimit } from './http/overload/response-buffer-limit.ts';
import type { RenderPool } from './viz/render-pool.ts';

interface GaugeOptions {
  readonly database: Pick<Database, 'poolStats'>;
  readonly renderPool: RenderPool;
  readonly agents: RunningAgents;
  readonly concurrencyLimit: ConcurrencyLimit;
  readonly requestBuffers: ByteBudget;
  readonly responseBuffers: ResponseBufferLimit;
}

/** Registers the gauges, which are read when the metrics are collected. */
export function registerGauges(
  registry: Registry,
  { database, renderPool, agents, concurrencyLimit, requestBuffers, responseBuffers }: GaugeOptions,
): void {
  const { poolStats } = database;
  const gauges: Readonly<Record<string, readonly [help: string, read: () => number]>> = {
    http_requests_in_flight: [
      'Requests that hold one of MAX_CONCURRENT_REQUESTS.',
      concurrencyLimit.inFlight,
    ],
    http_request_buffered_bytes: ['Memory of request bodies that are being received.', requestBuffers.used],
    http_response_buffered_bytes: [
      'Bytes of responses that clients have not read yet.',
      responseBuffers.bufferedBytes,
    ],
    chart_queue_length: ['Charts that wait for a render process.', () => renderPool.waiting],
    chart_workers: ['Render processes.', () => renderPool.pids.length],
    agent_runs_active: ['Runs that this process works on.', agents.activeRuns],
    agent_waiters: ['Requests that hold one of AGENT_MAX_WAITERS.', agents.waiters],
    ...(poolStats && {
      database_connections: ['Connections to the database.', () => poolStats().open],
      database_connections_idle: ['Connections to the database that are idle.', () => poolStats().idle],
      database_waiting_requests: ['Requests that wait for a connection.', () => poolStats().waiting],
    }),
  };
  for (const [name, [help, read]] of Object.entries(gauges)) {
    const gauge: Gauge = new Gauge({
      name,
      help,
      registers: [registry],
      collect: () => {
        gauge.set(read());
      },
    });
  }
}
