import { readFileSync } from 'node:fs';
import { Gauge, type Registry } from 'prom-client';
import type { RunningAgents } from '../agents/start.ts';
import type { RemoteKeys } from '../auth/issuer-keys.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../db/database.ts';
import { countQueuedRuns, oldestWaitS } from '../agents/runs/turns.ts';
import type { Limits } from '../limits/limits.ts';
import type { RenderPool } from '../viz/render-pool.ts';

interface GaugeOptions {
  readonly config: Config;
  readonly database: Pick<Database, 'db' | 'poolStats'>;
  readonly renderPool: RenderPool;
  readonly agents: RunningAgents;
  readonly limits: Limits;
  readonly checkReadiness: () => Promise<Error | undefined>;
  readonly remoteKeys: RemoteKeys | undefined;
}

/** Registers gauges that are read when metrics are collected. */
export function registerGauges(
  registry: Registry,
  { config, database, renderPool, agents, limits, checkReadiness, remoteKeys }: GaugeOptions,
): void {
  const { db, poolStats } = database;
  const registers = [registry];
  const register = (name: string, help: string, read: () => unknown, limit?: number): void => {
    new Gauge({
      ...{ name, help, registers },
      async collect() {
        // If a reading fails, its gauge is NaN, so that the others still work.
        this.set(await Promise.try(read).then(Number, () => NaN));
      },
    });
    if (limit !== undefined) register(`${name}_limit`, `The limit of ${name}.`, () => limit);
  };
  for (const limit of Object.values(limits))
    register(limit.name, `How much of ${limit.name}_limit is in use.`, () => limit.inUse, limit.max);
  register('chart_workers_resident_memory_bytes', 'Memory of all render processes, on Linux.', () =>
    renderPool.pids.reduce((sum, pid) => sum + residentBytes(pid), 0),
  );
  // The embedded database has no pool.
  if (poolStats !== undefined) {
    const { poolSize } = config.database;
    register('database_connections', 'Connections to the database.', () => poolStats().open, poolSize);
    register('database_connections_idle', 'Idle connections to the database.', () => poolStats().idle);
    register('database_waiting_requests', 'Requests that wait for a connection.', () => poolStats().waiting);
  }
  register(
    'agent_runs_oldest_queued_seconds',
    'How long the oldest queued run has waited since it could begin; 0 without one. A run behind another of its session cannot begin.',
    () => oldestWaitS(db),
  );
  register('agent_runs_queued', 'Runs that wait for a worker, of all servers.', () => countQueuedRuns(db));
  register(
    'worktable_ready',
    '1 while /readyz answers 200, otherwise 0.',
    async () => (await checkReadiness()) === undefined,
  );
  if (remoteKeys !== undefined)
    register(
      'token_keys_age_seconds',
      "Time since the issuer's keys were fetched; infinite before the first fetch.",
      () => remoteKeys.ageMs() / 1000,
    );
  const { runtimes, workers } = agents.services;
  // Only the runtimes of this server, because other servers may have other runtimes.
  new Gauge({
    ...{ name: 'agent_runs_active', labelNames: ['runtime'], registers },
    help: 'Runs that this process works on, by runtime: the workers of the runtime that are busy.',
    collect() {
      for (const runtime of runtimes.keys()) this.set({ runtime }, workers.activeCount(runtime));
    },
  });
  register(
    'agent_runs_active_limit',
    'The limit of agent_runs_active for each runtime.',
    () => config.agents.concurrency,
  );
}

const pageBytes = 4096;

/** The resident memory of a process. Throws if it has exited, or if there is no /proc. */
function residentBytes(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * pageBytes;
}
