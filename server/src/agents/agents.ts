import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import type { OperationId, Perform } from '../operations.ts';
import { createRunChanges } from './changes.ts';
import type { AgentsConfig } from './config.ts';
import { openRunQueue } from './queue.ts';
import { findUnfinishedRuns } from './run-store.ts';
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
  /** Sends those who wait for runs away; runs that are not done go on in the next process. */
  drain(): void;
  /** Stops working. The database must still be open. */
  close(): Promise<void>;
}

/** Opens the queue and begins to work on runs. */
export async function startAgents({
  config,
  database,
  perform,
  offers,
  logger,
  onFinished,
}: AgentsParts): Promise<RunningAgents> {
  const { db, engine, jobs } = database;
  const draining = new AbortController();
  const queue = await openRunQueue(jobs, {
    concurrency: config.concurrency,
    runMs: config.runMs,
    onError: (error) => {
      logger.warn({ err: error }, 'the job queue has a problem and goes on');
    },
  });
  const agents: Agents = {
    ...{ config, perform, queue, logger, onFinished, draining: draining.signal },
    runtimes: await openRuntimes(config.models),
    skills: createSkills(perform, offers),
    changes: createRunChanges(),
  };
  // The embedded database has one process at a time, so whoever worked before is dead.
  if (engine === 'PGlite') await queue.recover(await findUnfinishedRuns(db));
  await queue.work((job, signal) =>
    workOnSession({ db, agents }, job, AbortSignal.any([signal, draining.signal])),
  );
  const drain = (): void => {
    draining.abort(new Error('The process is about to end.'));
  };
  return {
    agents,
    working: () => queue.working(),
    drain,
    close: () => {
      drain();
      return queue.stop();
    },
  };
}
