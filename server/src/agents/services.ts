import type { Logger } from 'pino';
import type { Db } from '../db/tables.ts';
import type { CallOperation } from '../operation.ts';
import type { RunEventBus } from './responses/run-event-bus.ts';
import type { AgentsConfig } from './config.ts';
import type { RunQueue } from './runs/queue.ts';
import type { Runtime } from './runtimes/runtime.ts';
import type { Tool } from './skills/tool.ts';

/** The dependencies of the agents area. */
export interface Agents {
  readonly config: AgentsConfig;
  readonly runtimes: ReadonlyMap<string, Runtime>;
  /** The tools of each skill. */
  readonly skills: ReadonlyMap<string, readonly Tool[]>;
  readonly callOperation: CallOperation;
  readonly queue: RunQueue;
  readonly runEvents: RunEventBus;
  /** Aborts when this process shuts down. */
  readonly shutdownSignal: AbortSignal;
  readonly logger: Logger;
  /** Called for each run that this process finishes. */
  readonly onRunFinished: (outcome: 'completed' | 'failed') => void;
}

export interface AgentServices {
  readonly db: Db;
  readonly agents: Agents;
}
