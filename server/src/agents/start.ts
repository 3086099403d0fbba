import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import type { OperationId, CallOperation } from '../operation.ts';
import { createRunEventBus } from './responses/run-event-bus.ts';
import type { AgentsConfig } from './config.ts';
import { openRunQueue } from './runs/queue.ts';
import { keepRunsQueued } from './runs/queue-unfinished-runs.ts';
import { openRuntimes } from './runtimes/runtimes.ts';
import type { Agents } from './services.ts';
import { createSkills } from './skills/skills.ts';
import { workOnSession } from './runs/worker.ts';

interface AgentsOptions {
  readonly config: AgentsConfig;
  readonly database: Database;
  readonly callOperation: CallOperation;
  /** Whether this server offers an operation, for the tools of the skills. */
  readonly offers: (operation: OperationId) => boolean;
  readonly logger: Logger;
  readonly onFinished: Agents['onFinished'];
}

export interface RunningAgents {
  readonly agents: Agents;
  /** How many runs this process works on. */
  readonly working: () => number;
  /** How many requests wait for runs or follow them in this process. */
  readonly waiting: () => number;
  /** Answers requests that wait for runs. Unfinished runs continue in another process. */
  drain(): void;
  /** Stops working. The database must still be open. */
  close(): Promise<void>;
}

/** Opens the queue and begins to work on runs. A start that fails closes what it has opened. */
export async function startAgents(options: AgentsOptions): Promise<RunningAgents> {
  const opened = new AsyncDisposableStack();
  try {
    return await openAgents(options, opened);
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

async function openAgents(
  { config, database, callOperation, offers, logger, onFinished }: AgentsOptions,
  opened: AsyncDisposableStack,
): Promise<RunningAgents> {
  const { db, engine } = database;
  const queue = await openRunQueue(database.jobs, {
    concurrency: config.concurrency,
    runMs: config.runMs,
    onError: (error) => {
      logger.warn({ err: error }, 'the job queue failed and continues');
    },
  });
  opened.defer(() => queue.stop());
  const draining = new AbortController();
  const agents: Agents = {
    ...{ config, callOperation, queue, logger, onFinished, draining: draining.signal },
    runtimes: await openRuntimes(config.models),
    skills: createSkills(callOperation, offers),
    changes: createRunEventBus(),
  };
  // The embedded database serves one process at a time, so the process that held these jobs is dead.
  if (engine === 'PGlite') await queue.recover(db);
  const { signal: stopped } = draining;
  await queue.work((job, signal) => workOnSession({ db, agents }, job, AbortSignal.any([signal, stopped])));
  opened.defer(
    await keepRunsQueued(db, queue, (error) => {
      logger.warn({ err: error }, 'unfinished runs could not be queued; the next attempt is in a minute');
    }),
  );
  const drain = (): void => {
    draining.abort(new Error('The process is shutting down.'));
  };
  // Deferred last, so that it comes first.
  opened.defer(drain);
  return {
    agents,
    working: () => queue.working(),
    waiting: () => agents.changes.listening(),
    drain,
    close: () => opened.disposeAsync(),
  };
}
