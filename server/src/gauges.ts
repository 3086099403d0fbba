import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { Gauge, type Registry } from 'prom-client';
import manifest from '../package.json' with { type: 'json' };
import type { RunningAgents } from './agents/start.ts';
import type { RemoteKeys } from './auth/issuer-keys.ts';
import type { Config } from './config/config.ts';
import type { Database } from './db/database.ts';
import type { Db } from './db/tables.ts';
import type { Readiness } from './db/readiness.ts';
import type { LimitMetric } from './errors.ts';
import { countQueuedRuns } from './agents/runs/run-store.ts';
import { oldestWaitS } from './agents/runs/turns.ts';
import type { FairLimit } from './limits/fair-limit.ts';
import type { Limits } from './limits/limits.ts';
import type { RenderPool } from './viz/render-pool.ts';

interface GaugeOptions {
  readonly config: Config;
  readonly database: Pick<Database, 'db' | 'engine' | 'poolStats'>;
  readonly renderPool: RenderPool;
  readonly agents: RunningAgents;
  readonly limits: Limits;
}

/** A help text, a function that reads the value, and the limit of the value, which gets a gauge of its own. */
type GaugeOf = readonly [help: string, read: () => number, limit?: number];

/** Registers gauges that are read when metrics are collected. */
export function registerGauges(registry: Registry, options: GaugeOptions): void {
  for (const [name, [help, read, limit]] of Object.entries(gaugesOf(options))) {
    registerGauge(registry, { name, help, read });
    if (limit !== undefined)
      registerGauge(registry, { name: `${name}_limit`, help: `The limit of ${name}.`, read: () => limit });
  }
  registerRunGauges(registry, options);
  registerQueueGauges(registry, options.database);
  const labels = { version: manifest.version, node: process.version, engine: options.database.engine };
  new Gauge({
    name: 'worktable_build_info',
    help: 'The version of the server, its Node and its database.',
    labelNames: Object.keys(labels),
    registers: [registry],
  }).set(labels, 1);
}

type Gauges = Readonly<Record<LimitMetric, GaugeOf>> & Readonly<Record<string, GaugeOf>>;

function gaugesOf(options: GaugeOptions): Gauges {
  const { config, renderPool, limits } = options;
  return {
    http_requests_in_flight: heldOf('Requests whose responses are not sent yet.', limits.places),
    http_buffered_bytes: heldOf(
      'Memory of request bodies, and of responses and events that clients have not read yet.',
      limits.bytes,
    ),
    http_event_loop_microseconds: heldOf(
      'Time that requests took from the event loop in the last second.',
      limits.loopTime.limit,
    ),
    chart_queue_length: heldOf(
      'Charts that wait for a render process, as a number of charts of 800 by 600 pixels.',
      limits.pictures,
    ),
    chart_workers: ['Render processes.', () => renderPool.pids.length, config.charts.workers],
    chart_workers_resident_memory_bytes: [
      'Memory of all render processes, on Linux.',
      () => renderPool.pids.reduce((sum, pid) => sum + residentBytes(pid), 0),
    ],
    long_requests: heldOf('Requests that wait for runs, and streams.', limits.longPlaces),
    event_streams: heldOf('Event streams of changes and runs.', limits.eventStreams),
    ...poolGauges(options),
  };
}

function heldOf(help: string, limit: FairLimit): GaugeOf {
  return [help, () => limit.held, limit.max];
}

/** The embedded database has no pool. */
function poolGauges({ config, database: { poolStats } }: GaugeOptions): Readonly<Record<string, GaugeOf>> {
  if (poolStats === undefined) return {};
  return {
    database_connections: ['Connections to the database.', () => poolStats().open, config.database.poolSize],
    database_connections_idle: ['Connections to the database that are idle.', () => poolStats().idle],
    database_waiting_requests: ['Requests that wait for a connection.', () => poolStats().waiting],
  };
}

interface NamedGauge {
  readonly name: string;
  readonly help: string;
  readonly read: () => number | Promise<number>;
}

/** Registers a gauge that is read at each scrape. */
function registerGauge(registry: Registry, { name, help, read }: NamedGauge): void {
  const gauge: Gauge = new Gauge({
    name,
    help,
    registers: [registry],
    collect: async () => {
      gauge.set(await read());
    },
  });
}

/** The label has only this server's runtimes. Other servers may queue runs of runtimes that only they have. */
function registerRunGauges(registry: Registry, { config, agents }: GaugeOptions): void {
  const runtimes = [...agents.services.runtimes.keys()];
  const register = (name: string, help: string, read: (runtime: string) => number): void => {
    const gauge = new Gauge({
      name,
      help,
      labelNames: ['runtime'],
      registers: [registry],
      collect: () => {
        for (const runtime of runtimes) gauge.set({ runtime }, read(runtime));
      },
    });
  };
  const help = 'Runs that this process works on, by runtime: the workers of the runtime that are busy.';
  register('agent_runs_active', help, (runtime) => agents.services.workers.activeCount(runtime));
  register('agent_runs_active_limit', 'The limit of agent_runs_active.', () => config.agents.concurrency);
}

/** Registers the result of `/readyz`: 1 or 0. */
export function registerReadiness(registry: Registry, checkReadiness: () => Promise<Readiness>): void {
  registerGauge(registry, {
    name: 'worktable_ready',
    help: '1 while /readyz answers 200, otherwise 0.',
    read: async () => ((await checkReadiness()).isReady ? 1 : 0),
  });
}

/** Registers the age of the issuer's keys. */
export function registerKeyAge(registry: Registry, { ageMs }: RemoteKeys): void {
  registerGauge(registry, {
    name: 'token_keys_age_seconds',
    help: "Time since the issuer's keys were fetched; infinite before the first fetch.",
    read: () => ageMs() / 1000,
  });
}

// Less than the 10 s that Prometheus waits for a scrape by default.
const queueStatusMs = 2000;

/**
 * The gauges of the queue of runs, which all servers share. A gauge that cannot be read is NaN, and other gauges still
 * work.
 */
function registerQueueGauges(registry: Registry, { db }: Pick<Database, 'db'>): void {
  const register = (name: string, help: string, query: (db: Db) => Promise<number>): void => {
    let reading: Promise<number> | undefined;
    const read = (): Promise<number> => {
      // The next scrape shares a query that has not ended.
      reading ??= query(db)
        .catch(() => NaN)
        .finally(() => (reading = undefined));
      return Promise.race([reading, pause(queueStatusMs, NaN, { ref: false })]);
    };
    registerGauge(registry, { name, help, read });
  };
  register(
    'agent_runs_oldest_queued_seconds',
    'How long the oldest run that may begin has been able to; 0 without any. A run behind another of its session may not begin.',
    oldestWaitS,
  );
  register('agent_runs_queued', 'Runs that wait for a worker, of all servers.', countQueuedRuns);
}

const pageBytes = 4096;

/** The resident memory of a process; 0 if it has exited, or if there is no /proc. */
function residentBytes(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * pageBytes;
  } catch {
    return 0;
  }
}
