import type { Logger } from 'pino';
import { closeAll } from '../close-all.ts';
import type { Database } from '../db/database.ts';
import type { OperationId, Perform } from '../operations.ts';
import { createRunChanges } from './changes.ts';
import type { AgentsConfig } from './config.ts';
import { openRunQueue, type RunQueue } from './queue.ts';
import { keepRunsQueued } from './queue-unfinished-runs.ts';
import { openRuntimes } from './runtimes/runtimes.ts';
import type { Agents } from './services.ts';
import { createSkills } from './skills/skills.ts';
import { workOnSession } from './worker.ts';

interface AgentsParts {
  readonly config: AgentsConfig;
  readonly database: Database;
  readonly perform: Perform;
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
  /** Sends those who wait for runs away; runs that are not done go on in the next process. */
  drain(): void;
  /** Stops working. The database must still be open. */
  close(): Promise<void>;
}

/** Opens the queue and begins to work on runs. A start that fails leaves nothing open. */
export async function startAgents(parts: AgentsParts): Promise<RunningAgents> {
  const { config, database, logger } = parts;
  const queue = await openRunQueue(database.jobs, {
    concurrency: config.concurrency,
    runMs: config.runMs,
    onError: (error) => {
      logger.warn({ err: error }, 'the job queue has a problem and goes on');
    },
  });
  try {
    return await workOnQueue(parts, queue);
  } catch (error) {
    await queue.stop();
    throw error;
  }
}

async function workOnQueue(
  { config, database, perform, offers, logger, onFinished }: AgentsParts,
  queue: RunQueue,
): Promise<RunningAgents> {
  const { db, engine } = database;
  const draining = new AbortController();
  const agents: Agents = {
    ...{ config, perform, queue, logger, onFinished, draining: draining.signal },
    runtimes: await openRuntimes(config.models),
    skills: createSkills(perform, offers),
    changes: createRunChanges(),
  };
  // The embedded database has one process at a time, so whoever worked before is dead.
  if (engine === 'PGlite') await queue.recover(db);
  await queue.work((job, signal) =>
    workOnSession({ db, agents }, job, AbortSignal.any([signal, draining.signal])),
  );
  const stopQueueing = await keepRunsQueued(db, queue, (error) => {
    logger.warn({ err: error }, 'unfinished runs could not be queued; the next attempt is in a minute');
  });
  const drain = (): void => {
    draining.abort(new Error('The process is about to end.'));
  };
  return {
    agents,
    working: () => queue.working(),
    waiting: () => agents.changes.listening(),
    drain,
    close: async () => {
      drain();
      await closeAll([stopQueueing, () => queue.stop()]);
    },
  };
}
