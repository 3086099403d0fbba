export { createClient, type Client } from './client.ts';
export * from './errors.ts';
export type { Agents } from './agents.ts';
export type { RenderedChart, RenderedSvg } from './charts.ts';
export type {
  ClientOptions,
  KeyedOptions,
  LogEntry,
  MatchingOptions,
  RequestOptions,
  RunOptions,
} from './options.ts';
export type { Listing, Page } from './pages.ts';
export type * from './resources.ts';
export type { Answer, ResponseInfo, Result } from './result.ts';
export type { Sessions } from './sessions.ts';
export type { Tasks } from './tasks.ts';
export type { Viz } from './viz.ts';
