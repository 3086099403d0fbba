import type { DataTag, InfiniteData, MutationFunctionContext } from '@tanstack/query-core';
import type { Client } from './client.ts';
import type { Page, Paginator } from './paginator.ts';
import type { Caller, OperationId, Task, TaskUpdate } from './resources.ts';
import type { Result } from './response.ts';

/** The key of a query: `worktable`, the area, the name of the method, and its arguments. */
export type QueryKey = readonly [
  ...method: string[],
  call: { readonly args: readonly unknown[]; readonly infinite?: true },
];

/** What TanStack Query passes to the function of a query. */
export interface FetchContext {
  readonly signal: AbortSignal;
}

/** Options of a query. */
export interface QueryOptions<Data> {
  readonly queryKey: DataTag<QueryKey, Data>;
  readonly queryFn: (context: FetchContext) => Promise<Data>;
  /** The client retries instead, because it knows which calls may be repeated. */
  readonly retry: false;
  /** Infinity for charts, because equal requests have equal bytes. */
  readonly staleTime?: number;
}

/** Where a page begins in an infinite query. */
export interface PageParam {
  readonly cursor?: string;
  readonly offset?: number;
}

/** Options of an infinite query. The cursor of each page leads to the next page. */
export interface InfiniteQueryOptions<Item> {
  readonly queryKey: DataTag<QueryKey, InfiniteData<Page<Item>, PageParam>>;
  readonly queryFn: (context: FetchContext & { readonly pageParam: PageParam }) => Promise<Page<Item>>;
  readonly initialPageParam: PageParam;
  readonly getNextPageParam: (page: Page<Item>) => PageParam | undefined;
  readonly retry: false;
}

/** A function that is called when a mutation ends. */
export type Callback<Outcome extends readonly unknown[]> = (
  ...args: readonly [...Outcome, onMutateResult: unknown, context: MutationFunctionContext]
) => unknown;

/** Functions of the application for a mutation. The SDK's own functions are called first. */
export interface MutationCallbacks<Variables, Data> {
  readonly onSuccess?: Callback<[data: Data, variables: Variables]>;
  readonly onError?: Callback<[error: Error, variables: Variables]>;
  readonly onSettled?: Callback<[data: Data | undefined, error: Error | null, variables: Variables]>;
}

/** Options of a mutation. The variables of a method's mutation are its arguments. */
export interface MutationOptions<Variables, Data> extends MutationCallbacks<Variables, Data> {
  readonly mutationKey: readonly string[];
  /** Without a network, a mutation fails. By default, it would wait, and later overwrite changes by others. */
  readonly networkMode: 'always';
  readonly mutationFn: (variables: Variables, context: MutationFunctionContext) => Promise<Data>;
}

/** A task as the user sees it, and the new values of some of its fields. */
export interface TaskMove {
  readonly task: Task;
  readonly changes: { readonly [Field in keyof TaskUpdate & keyof Task]?: Task[Field] };
}

/** Options of a mutation that shows its change at once. */
export interface MoveOptions extends MutationOptions<TaskMove, Task> {
  readonly onMutate: (move: TaskMove, context: MutationFunctionContext) => Promise<void>;
}

/** Options of a query for these arguments. */
export interface Read<Args extends readonly unknown[], Data> {
  queryOptions(...args: Args): QueryOptions<Data>;
}

/** Options of one page and of all pages. */
export interface List<Args extends readonly unknown[], Item> extends Read<Args, Page<Item>> {
  infiniteQueryOptions(...args: Args): InfiniteQueryOptions<Item>;
}

/** Options of a mutation. */
export interface Write<Args extends readonly unknown[], Data> {
  mutationOptions(callbacks?: MutationCallbacks<Args, Data>): MutationOptions<Args, Data>;
}

type WithoutOptions<Args> = Args extends readonly [...infer Others, unknown?] ? Others : never;

type ReadOf<Method> = Method extends (...args: infer Args) => Promise<infer Data>
  ? Read<WithoutOptions<Args>, Data>
  : never;

type ListOf<Method> = Method extends (...args: infer Args) => Paginator<infer Item>
  ? List<WithoutOptions<Args>, Item>
  : never;

type WriteOf<Method> = Method extends (...args: infer Args) => Promise<infer Data>
  ? Write<Args, Data>
  : never;

/** The names of an area's methods in a table. */
type NamesIn<Table, Name extends Area> = keyof Client[Name] &
  Extract<Table[keyof Table], readonly [Name, ...unknown[]]>[1];

type QueriesOf<Name extends Area> = {
  readonly [Method in NamesIn<typeof reads, Name>]: ReadOf<Client[Name][Method]>;
} & { readonly [Method in NamesIn<typeof lists, Name>]: ListOf<Client[Name][Method]> } & {
  readonly [Method in NamesIn<typeof writes, Name>]: WriteOf<Client[Name][Method]>;
};

/** The part of a client that `createQueries` needs: `me`, and any of the areas. */
export type QueriedClient = Partial<Pick<Client, Area>> & Pick<Client, 'me'>;

/** Options of queries and mutations for each method of the client, by area. */
export type Queries<Of extends QueriedClient = Client> = {
  readonly [Name in Area & keyof Of]: QueriesOf<Name> & (Name extends 'tasks' ? Move : unknown);
} & { readonly me: Read<[], Caller> };

/** Options of a mutation that moves a task. */
export interface Move {
  /** Changes a task if nobody has changed it since the user saw it. Queries show the change at once. */
  readonly move: { mutationOptions(callbacks?: MutationCallbacks<TaskMove, Task>): MoveOptions };
}

/** Methods that read one result. Charts are read too: they use POST to send the chart, but change nothing. */
export const reads = {
  countTasks: ['tasks', 'count', 2],
  getTask: ['tasks', 'get', 2],
  listChanges: ['tasks', 'listChanges', 2],
  getVizStatus: ['viz', 'getStatus', 1],
  renderSvg: ['viz', 'renderSvg', 2],
  renderPng: ['viz', 'renderPng', 2],
  renderPdf: ['viz', 'renderPdf', 2],
  linkChart: ['viz', 'link', 2],
  getAgent: ['agents', 'get', 2],
  listRuntimes: ['runtimes', 'list', 1],
  getRun: ['runs', 'get', 2],
  getSession: ['sessions', 'get', 2],
} as const satisfies Partial<Record<OperationId, MethodOf<Result<unknown>>>>;

/** Methods that read pages. */
export const lists = {
  listTasks: ['tasks', 'list', 2],
  listComments: ['tasks', 'listComments', 3],
  listAuditLogs: ['tasks', 'listAuditLogs', 3],
  listAgents: ['agents', 'list', 2],
  listRuns: ['runs', 'list', 2],
  listSessions: ['sessions', 'list', 2],
  listMessages: ['sessions', 'listMessages', 3],
} as const satisfies Partial<Record<OperationId, MethodOf<Paginator<unknown>>>>;

/** Methods that change something. */
export const writes = {
  createTask: ['tasks', 'create', 2],
  updateTask: ['tasks', 'update', 3],
  deleteTask: ['tasks', 'delete', 2],
  assignTask: ['tasks', 'assign', 3],
  batchTasks: ['tasks', 'batch', 2],
  createComment: ['tasks', 'createComment', 3],
  updateComment: ['tasks', 'updateComment', 4],
  deleteComment: ['tasks', 'deleteComment', 3],
  createAgent: ['agents', 'create', 2],
  updateAgent: ['agents', 'update', 3],
  deleteAgent: ['agents', 'delete', 2],
  runAgent: ['agents', 'run', 3],
  cancelRun: ['runs', 'cancel', 2],
  decideToolCalls: ['runs', 'approve', 3],
  updateSession: ['sessions', 'update', 3],
  deleteSession: ['sessions', 'delete', 2],
} as const satisfies Record<WriteId, MethodOf<Result<unknown>>>;

type WriteId = Exclude<OperationId, keyof typeof reads | keyof typeof lists | 'getMe'>;

export type Area = Exclude<keyof Client, 'me' | 'withOptions'>;

/** A method with this result: its area, its name, and the number of its parameters including options. */
type MethodOf<Returned> = {
  [Name in Area]: {
    [Method in keyof Client[Name]]: Client[Name][Method] extends (...args: infer Args) => Returned
      ? readonly [Name, Method, Required<Args>['length']]
      : never;
  }[keyof Client[Name]];
}[Area];
