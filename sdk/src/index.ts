export { createClient, type Client } from './client.ts';
export * from './errors.ts';
export type { Agents } from './agents.ts';
export type { RenderedChart, RenderedSvg } from './charts.ts';
export type {
  ClientOptions,
  ConditionalOptions,
  IdempotentOptions,
  LogEntry,
  RequestOptions,
  RunOptions,
} from './options.ts';
export type { Page, Paginator } from './paginator.ts';
export type * from './resources.ts';
export type { ResponseInfo, ResponseWithData, Result } from './result.ts';
export type { Sessions } from './sessions.ts';
export type { Tasks } from './tasks.ts';
export type { Viz } from './viz.ts';
