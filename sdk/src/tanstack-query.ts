import type { MutationFunctionContext } from '@tanstack/query-core';
import { both, createMove } from './cached-tasks.ts';
import type { IdempotentOptions } from './options.ts';
import type { Page, Paginator } from './paginator.ts';
import {
  lists,
  reads,
  writes,
  type Area,
  type FetchContext,
  type MutationCallbacks,
  type PageParam,
  type QueriedClient,
  type Queries,
} from './query-options.ts';
import { idempotencyKeyOf } from './retries.ts';

export { followTasks, type FollowTasksOptions } from './cached-tasks.ts';
export type * from './query-options.ts';

const root = 'worktable';

/**
 * Makes options of queries and mutations for TanStack Query, in any framework.
 *
 * @example
 * import { createQueries } from '@worktable/sdk/tanstack-query';
 *
 * const queries = createQueries(client);
 * console.log(queries.tasks.list.infiniteQueryOptions({ status: 'todo' }).queryKey);
 */
export function createQueries<Of extends QueriedClient>(client: Of): Queries<Of> {
  const { tasks, me } = client;
  const queries: Record<string, object> = {
    me: readOptions({ key: [root, 'me'], method: me as Method, arity: 1 }),
  };
  const add = (table: Table, optionsOf: (operation: Operation) => object): void => {
    for (const [area, name, arity] of Object.values(table)) {
      // The cast holds because the table lists only methods of the client.
      const method = (client[area] as Readonly<Record<string, Method>> | undefined)?.[name];
      if (method === undefined) continue;
      queries[area] = { ...queries[area], [name]: optionsOf({ key: [root, area, name], method, arity }) };
    }
  };
  add(reads, readOptions);
  add(lists, listOptions);
  add(writes, writeOptions);
  if (tasks !== undefined)
    queries['tasks'] = { ...queries['tasks'], move: { mutationOptions: createMove(tasks) } };
  // The cast holds because the type is derived from the same tables as the value.
  return queries as unknown as Queries<Of>;
}

type Table = Readonly<Record<string, readonly [area: Area, name: string, arity: number]>>;

type Method = (...args: unknown[]) => unknown;

interface Operation {
  readonly key: readonly string[];
  readonly method: Method;
  /** The number of parameters of the method, the last of which is its options. */
  readonly arity: number;
}

function call({ method, arity }: Operation, args: readonly unknown[], options: IdempotentOptions): unknown {
  return method(...Array.from({ length: arity - 1 }, (_, index) => args[index]), options);
}

function readOptions(operation: Operation): object {
  // Charts do not become stale: equal requests have equal bytes.
  const isChart = operation.key.at(-1)?.startsWith('render') === true;
  return {
    queryOptions: (...args: unknown[]) => ({
      queryKey: [...operation.key, { args }],
      queryFn: ({ signal }: FetchContext) => call(operation, args, { signal }),
      retry: false,
      ...(isChart && { staleTime: Infinity }),
    }),
  };
}

function listOptions(operation: Operation): object {
  const { key, arity } = operation;
  const pageOf =
    (args: readonly unknown[]) =>
    ({ signal, pageParam }: FetchContext & { readonly pageParam?: PageParam }): Promise<Page<unknown>> => {
      const ids = args.slice(0, arity - 2);
      const query = { ...(args[arity - 2] as PageParam | undefined), ...pageParam };
      return (call(operation, [...ids, query], { signal }) as Paginator<unknown>).page();
    };
  return {
    queryOptions: (...args: unknown[]) => ({
      queryKey: [...key, { args }],
      queryFn: pageOf(args),
      retry: false,
    }),
    infiniteQueryOptions: (...args: unknown[]) => ({
      queryKey: [...key, { args, infinite: true }],
      queryFn: pageOf(args),
      initialPageParam: {},
      getNextPageParam: nextPage,
      retry: false,
    }),
  };
}

function nextPage({ hasMore, nextCursor, offset, items }: Page<unknown>): PageParam | undefined {
  if (!hasMore) return undefined;
  // Resets the `offset` of the first page, because the server refuses a cursor together with an offset.
  return nextCursor === undefined ? { offset: offset + items.length } : { cursor: nextCursor, offset: 0 };
}

function writeOptions(operation: Operation): object {
  const { key, arity } = operation;
  // Outside `tasks`, all queries are read again: runs change tasks and sessions, and are deleted with their session.
  const changed = key[1] === 'tasks' ? key.slice(0, 2) : [root];
  // All attempts of a mutation share its context, and must have the same idempotency key.
  const idempotencyKeys = new WeakMap<MutationFunctionContext, string>();
  return {
    mutationOptions: (callbacks: MutationCallbacks<readonly unknown[], unknown> = {}) => ({
      ...callbacks,
      mutationKey: key,
      networkMode: 'always',
      mutationFn: (args: readonly unknown[], context: MutationFunctionContext) => {
        const options = (args[arity - 1] ?? {}) as IdempotentOptions;
        const idempotencyKey = idempotencyKeys.get(context) ?? idempotencyKeyOf(options);
        idempotencyKeys.set(context, idempotencyKey);
        return call(operation, args, { ...options, idempotencyKey });
      },
      onSettled: both(
        (_data, _error, _args, _result, { client }) => client.invalidateQueries({ queryKey: changed }),
        callbacks.onSettled,
      ),
    }),
  };
}
