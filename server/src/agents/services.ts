import type { Logger } from 'pino';
import type { AgentsConfig } from '../config/config.ts';
import type { Db } from '../db/tables.ts';
import type { AgentObserver } from '../metrics.ts';
import type { CallOperation } from '../operation.ts';
import type { AgentOperation } from '../tools/catalogue.ts';
import type { RunEventBus } from './responses/run-event-bus.ts';
import type { ActiveRuns } from './runs/active-runs.ts';
import type { RunQueue } from './runs/queue.ts';
import type { ServedRuntime } from './runtimes/runtime.ts';
import type { Skills } from './skills/skills.ts';

/** The dependencies of the agents area. Each function picks the members that it needs. */
export interface AgentServices extends Pick<AgentObserver, 'onRunFinished' | 'onModelCall'> {
  readonly db: Db;
  readonly config: AgentsConfig;
  readonly runtimes: ReadonlyMap<string, ServedRuntime>;
  readonly skills: Skills;
  readonly callOperation: CallOperation<AgentOperation>;
  readonly queue: RunQueue;
  readonly runEvents: RunEventBus;
  /** Aborts when this process shuts down. */
  readonly shutdownSignal: AbortSignal;
  readonly logger: Logger;
  readonly activeRuns: ActiveRuns;
}
