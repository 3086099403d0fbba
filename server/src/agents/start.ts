import type { ModelConfig } from '../config/config.ts';
import type { Database } from '../db/database.ts';
import { createEventBus } from '../lib/event-bus.ts';
import type { FairQueue } from '../limits/fair-queue.ts';
import { logOutage } from '../ops/log.ts';
import { watchRuns, type RunUpdate } from './responses/run-events.ts';
import { releaseTurns } from './runs/turns.ts';
import { workOnTurn } from './runs/worker.ts';
import { Workers } from './runs/workers.ts';
import { builtin } from './runtimes/builtin/builtin.ts';
import type { Runtime } from './runtimes/runtime.ts';
import type { AgentServices } from './services.ts';
import { createSkills, type SkillsOptions } from './skills/skills.ts';

interface AgentsOptions extends SkillsOptions {
  readonly database: Database;
  readonly requestQueue: FairQueue;
}

export interface RunningAgents {
  readonly services: AgentServices;
  /** Answers the requests that wait for runs, and gives unfinished runs back to the queue for another process. */
  readonly drain: () => void;
  /** Stops the workers. The database must still be open. */
  close(): Promise<void>;
}

/** Starts the workers. If the start fails, everything that was opened is closed. */
export async function startAgents(options: AgentsOptions): Promise<RunningAgents> {
  const { config, database, callOperation, requestQueue, logger, metrics } = options;
  const { db } = database;
  await using resources = new AsyncDisposableStack();
  const shutdown = new AbortController();
  const { signal: shutdownSignal } = shutdown;
  const workers = new Workers({ db, config, shutdownSignal, onError: logOutage(logger, queueOutage) });
  resources.defer(() => workers.stop());
  const drain = (): void => {
    shutdown.abort(new Error('The process is shutting down.'));
  };
  // Deferred last, so that it runs first: it interrupts the turns that `workers.stop` waits for.
  resources.defer(drain);
  const services: AgentServices = {
    db,
    config,
    callOperation,
    workers,
    requestQueue,
    logger,
    metrics,
    shutdownSignal,
    runtimes: await openRuntimes(config.models),
    skills: await createSkills(options),
    runEvents: createEventBus<RunUpdate>((unread, next) => (unread === 'any' ? unread : next)),
  };
  watchRuns(db, services.runEvents, logger, shutdownSignal);
  // Only one process at a time uses the embedded database, so active turns belong to a dead process.
  if (database.engine === 'PGlite') await releaseTurns(db);
  await workers.start((active) => workOnTurn(services, active));
  const opened = resources.move();
  return { services, drain, close: () => opened.disposeAsync() };
}

const queueOutage = {
  failed: 'the queue of runs fails, so runs wait; further errors are not logged until it works again',
  recovered: 'the queue of runs has not failed for ten seconds',
};

async function openRuntimes(models: readonly ModelConfig[]): Promise<ReadonlyMap<string, Runtime>> {
  const runtimes = new Map<string, Runtime>([['builtin', { ...builtin }]]);
  if (models.length === 0) return runtimes;
  // Loaded only if a model server is configured, because loading undici takes a while.
  const { openaiRuntime } = await import('./runtimes/openai/openai.ts');
  for (const model of models) runtimes.set(model.name, openaiRuntime(model));
  return runtimes;
}
