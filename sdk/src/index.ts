export { createClient, type Client } from './client.ts';
export * from './errors.ts';
export type { Agents } from './agents.ts';
export type { RenderedChart, RenderedSvg } from './charts.ts';
export type {
  ChangeOptions,
  ClientOptions,
  ConditionalOptions,
  FetchOptions,
  IdempotentOptions,
  LogEntry,
  RequestOptions,
  RetryWait,
  RunOptions,
  RunStreamOptions,
  StreamState,
  TokenFunction,
} from './options.ts';
export type { Page, Paginator } from './paginator.ts';
export { payloadOf } from './payload-of.ts';
export type * from './resources.ts';
export type { ResponseInfo, ResponseWithData, Result } from './result.ts';
export type { Runs } from './runs.ts';
export type { Runtimes } from './runtimes.ts';
export type { Sessions } from './sessions.ts';
export type { Snapshot, SnapshotQuery, TaskChanges } from './changes.ts';
export type { Tasks } from './tasks.ts';
export type { Viz } from './viz.ts';
