import type { ModelConfig } from '../config/config.ts';
import type { Database } from '../db/database.ts';
import type { FairLimit } from '../limits/fair-limit.ts';
import { logOutage } from '../log.ts';
import type { AgentObserver } from '../metrics.ts';
import { createRunEventBus } from './responses/run-event-bus.ts';
import { watchRuns } from './responses/watch-runs.ts';
import { ActiveRuns } from './runs/active-runs.ts';
import { keepRunsQueued } from './runs/keep-runs-queued.ts';
import { RunQueue } from './runs/queue.ts';
import { workOnSession } from './runs/worker.ts';
import { builtin } from './runtimes/builtin/builtin.ts';
import type { ServedRuntime } from './runtimes/runtime.ts';
import type { AgentServices } from './services.ts';
import { createSkills, type SkillsOptions } from './skills/skills.ts';

interface AgentsOptions extends SkillsOptions, AgentObserver {
  readonly database: Database;
  /** The requests that wait for runs or follow them. */
  readonly waiters: FairLimit;
}

export interface RunningAgents {
  readonly services: AgentServices;
  /** The number of runs of a runtime that this process is executing. */
  readonly activeRunCount: (runtime: string) => number;
  /** Answers the requests that wait for runs, and gives unfinished runs back to the queue for another process. */
  readonly drain: () => void;
  /** Stops the workers and the queue. The database must still be open. */
  close(): Promise<void>;
}

/** Opens the queue and starts its workers. After a failure, everything that was opened is closed. */
export async function startAgents(options: AgentsOptions): Promise<RunningAgents> {
  const resources = new AsyncDisposableStack();
  try {
    return await openAgents(options, resources);
  } catch (error) {
    await resources.disposeAsync();
    throw error;
  }
}

async function openAgents(options: AgentsOptions, resources: AsyncDisposableStack): Promise<RunningAgents> {
  const { config, database, callOperation, waiters, logger, onRunFinished, onModelCall } = options;
  const queue = await RunQueue.open(database, { ...config, onError: logOutage(logger, queueOutage) });
  resources.defer(() => queue.stop());
  const shutdown = new AbortController();
  const services: AgentServices = {
    db: database.db,
    config,
    callOperation,
    queue,
    logger,
    onRunFinished,
    onModelCall,
    shutdownSignal: shutdown.signal,
    runtimes: await openRuntimes(config.models),
    skills: await createSkills(options),
    runEvents: createRunEventBus(waiters),
    activeRuns: new ActiveRuns(),
  };
  resources.defer(watchRuns(services));
  // Only one process at a time uses the embedded database, so active jobs belong to a dead process.
  if (database.engine === 'PGlite') await queue.recover();
  queue.work((job) => workOnSession(services, job));
  const stopQueueing = await keepRunsQueued(database.db, queue, (err) => {
    logger.warn({ err }, 'cannot queue unfinished runs; next attempt in a minute');
  });
  resources.defer(stopQueueing);
  const drain = (): void => {
    shutdown.abort(new Error('The process is shutting down.'));
  };
  // Deferred last, so that it runs first: it stops the workers that the queue waits for.
  resources.defer(drain);
  return {
    services,
    activeRunCount: (runtime) => queue.activeCount(runtime),
    drain,
    close: () => resources.disposeAsync(),
  };
}

const queueOutage = {
  failed: 'the job queue fails, so runs wait; further errors are not logged until it works again',
  recovered: 'the job queue has not failed for ten seconds',
};

/** The runtimes of this server by name: the built-in one and the configured model servers. */
async function openRuntimes(models: readonly ModelConfig[]): Promise<ReadonlyMap<string, ServedRuntime>> {
  const runtimes = new Map<string, ServedRuntime>([['builtin', { ...builtin, state: 'ready' }]]);
  if (models.length === 0) return runtimes;
  // The SDK is loaded on its first use, because loading takes a while.
  const { openaiRuntime } = await import('./runtimes/openai/openai.ts');
  for (const model of models) runtimes.set(model.name, { ...openaiRuntime(model), state: 'unknown' });
  return runtimes;
}
