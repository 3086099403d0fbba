import type { Logger } from 'pino';
import type { Db } from '../db/tables.ts';
import type { CallOperation } from '../operation.ts';
import type { RunEventBus } from './responses/run-event-bus.ts';
import type { AgentsConfig } from './config.ts';
import type { RunQueue } from './runs/queue.ts';
import type { Runtime } from './runtimes/runtime.ts';
import type { Tool } from './skills/tool.ts';

/** What the agents area works with. */
export interface Agents {
  readonly config: AgentsConfig;
  readonly runtimes: ReadonlyMap<string, Runtime>;
  /** The tools of each skill. */
  readonly skills: ReadonlyMap<string, readonly Tool[]>;
  readonly callOperation: CallOperation;
  readonly queue: RunQueue;
  readonly changes: RunEventBus;
  /** Aborts when this process is about to end. */
  readonly draining: AbortSignal;
  readonly logger: Logger;
  /** Called with each run that this process has finished. */
  readonly onFinished: (outcome: 'completed' | 'failed') => void;
}

export interface AgentServices {
  readonly db: Db;
  readonly agents: Agents;
}
