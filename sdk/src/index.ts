export { createClient, type Client } from './client.ts';
export * from './errors.ts';
export type { AgentAreas, Agents, Runtimes } from './agents.ts';
export type { BaseClient } from './base-client.ts';
export type * from './options.ts';
export type { Page, Paginator } from './paginator.ts';
export type * from './resources.ts';
export type { ResponseInfo, ResponseWithData, Result } from './response.ts';
export type { Runs } from './runs.ts';
export type { Sessions } from './sessions.ts';
export {
  payloadOf,
  type Snapshot,
  type SnapshotOptions,
  type SnapshotQuery,
  type TaskChanges,
} from './changes.ts';
export type { Tasks } from './tasks.ts';
export type { RenderedChart, RenderedSvg, Viz } from './viz.ts';
