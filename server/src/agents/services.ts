import type { Logger } from 'pino';
import type { AgentsConfig } from '../config/config.ts';
import type { Db } from '../db/tables.ts';
import type { FairQueue } from '../limits/fair-queue.ts';
import type { Metrics } from '../ops/metrics.ts';
import type { CallOperation } from '../contract/operation.ts';
import type { AgentOperation } from '../tools/catalogue.ts';
import type { RunEventBus } from './responses/run-events.ts';
import type { LeasedRun } from './runs/lease.ts';
import type { ActiveTurn, Workers } from './runs/workers.ts';
import type { Runtime } from './runtimes/runtime.ts';
import type { Skills } from './skills/skills.ts';

/** The dependencies of the agents area. Each function picks the members that it needs. */
export interface AgentServices {
  readonly db: Db;
  readonly config: AgentsConfig;
  readonly runtimes: ReadonlyMap<string, Runtime>;
  readonly skills: Skills;
  readonly callOperation: CallOperation<AgentOperation>;
  readonly workers: Workers;
  /** Streams read their pages through this queue, which they share with requests. */
  readonly requestQueue: FairQueue;
  readonly runEvents: RunEventBus;
  readonly shutdownSignal: AbortSignal;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** What the steps of a run share while a worker executes them. */
export interface Execution {
  readonly services: AgentServices;
  readonly run: LeasedRun;
  readonly active: ActiveTurn;
  readonly logger: Logger;
  /** Aborts at shutdown, or when the lease is lost. Another worker then continues the run. */
  readonly stop: AbortSignal;
  /** Aborts when the run reaches its time limit. */
  readonly deadline: AbortSignal;
  /** Aborts when `stop` or `deadline` aborts. */
  readonly signal: AbortSignal;
  /** The resources that tools keep open until this worker stops executing the run. */
  readonly resources: AsyncDisposableStack;
}
