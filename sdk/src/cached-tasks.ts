import type { InfiniteData, Mutation, Query, QueryClient } from '@tanstack/query-core';
import { payloadOf } from './changes.ts';
import { areFieldFilters, matchesFields } from './field-filters.ts';
import type { ChangeOptions } from './options.ts';
import type { Page } from './paginator.ts';
import type { MoveOptions, MutationCallbacks, TaskMove } from './query-options.ts';
import type { Change, ChangeQuery, Task, TaskQuery } from './resources.ts';
import { createTaskQueue } from './task-queue.ts';
import type { Tasks } from './tasks.ts';

/** A task before and after a change: undefined before its creation and after its deletion. */
interface TaskStep {
  readonly id: string;
  readonly from: Task | undefined;
  readonly to: Task | undefined;
}

type QueryKey = readonly unknown[];
type ListData = Page<Task> | InfiniteData<Page<Task>>;

/** The key of every query about tasks starts with these parts. */
const tasksKey = ['worktable', 'tasks'] as const;

const moveKey = [...tasksKey, 'move'] as const;

/**
 * Shows a task's change in all cached queries. Returns the keys of lists that must be read again, because only the
 * server knows whether the task has entered them.
 */
function showTask(client: QueryClient, step: TaskStep): QueryKey[] {
  const { id, to } = step;
  client.setQueriesData<Task>({ queryKey: [...tasksKey, 'get', { args: [id] }] }, (task) => task && to);
  const undecided: QueryKey[] = [];
  for (const [queryKey, data] of client.getQueriesData<ListData>({ queryKey: [...tasksKey, 'list'] })) {
    if (data === undefined) continue;
    // The key of a list ends with the arguments of the list.
    const { args } = queryKey.at(-1) as { readonly args: readonly [TaskQuery?] };
    const pages = placeIn('pages' in data ? data.pages : [data], args[0] ?? {}, step);
    if (pages === undefined) undecided.push(queryKey);
    else client.setQueryData(queryKey, 'pages' in data ? { ...data, pages } : pages[0]);
  }
  return undecided;
}

/**
 * Replaces, removes or adds the task in the pages of a list, according to the list's filters. Returns undefined if the
 * task may have to be added, but `matchesFields` does not support a filter or the list does not start with its first
 * task.
 */
function placeIn(
  pages: readonly Page<Task>[],
  { sort, limit, offset = 0, cursor, ...filters }: TaskQuery,
  { id, from, to }: TaskStep,
): Page<Task>[] | undefined {
  const placed = to !== undefined && matchesFields(to, filters) ? [to] : [];
  const enters = placed.length > 0 && !(from && matchesFields(from, filters));
  const isDecided = areFieldFilters(filters) && offset === 0 && cursor === undefined && limit !== 0;
  const isListed = pages.some(({ items }) => items.some((task) => task.id === id));
  if (!isListed && enters && !isDecided) return undefined;
  const added = isListed ? placed.length - 1 : Number(enters);
  return pages.map((page, index) => {
    const items = page.items.flatMap((task) => (task.id === id ? placed : [task]));
    const count = page.count === undefined ? undefined : page.count + added;
    return { ...page, count, items: !isListed && enters && index === 0 ? [...placed, ...items] : items };
  });
}

/**
 * Makes mutation options that change a task unless somebody else has changed it since the user saw it. Queries show the
 * change at once. If the server refuses the change, they show the old task until they have read it again.
 */
export function createMove(
  tasks: Pick<Tasks, 'update'>,
): (callbacks?: MutationCallbacks<TaskMove, Task>) => MoveOptions {
  const enqueue = createTaskQueue();
  let unsettled = 0;
  const moved = ({ task, changes }: TaskMove): Task => ({ ...task, ...changes });
  return (callbacks = {}) => ({
    mutationKey: moveKey,
    networkMode: 'always',
    mutationFn: ({ task, changes }) =>
      enqueue(task, ({ etag }) => tasks.update(task.id, changes, { ifMatch: etag })),
    onMutate: async (move, { client }) => {
      unsettled += 1;
      // A pending response would show the old task.
      await client.cancelQueries({ queryKey: tasksKey });
      showTask(client, { id: move.task.id, from: move.task, to: moved(move) });
    },
    onSuccess: both((task, move, _shown, { client }) => {
      // A later move of this task is pending. The queries show that move, which this response does not include.
      if (pendingMoves(client, task.id) > 1) return;
      showTask(client, { id: task.id, from: moved(move), to: task });
    }, callbacks.onSuccess),
    onError: both((_error, move, _shown, { client }) => {
      showTask(client, { id: move.task.id, from: moved(move), to: move.task });
    }, callbacks.onError),
    onSettled: both(async (_moved, _error, _move, _shown, { client }) => {
      // Lists are read again only after the last move: a response from before its end would not include the move.
      unsettled -= 1;
      if (unsettled === 0) await client.invalidateQueries({ queryKey: tasksKey });
    }, callbacks.onSettled),
  });
}

/** The number of a task's moves that have not ended. */
function pendingMoves(client: QueryClient, id: string): number {
  // The cast holds because only moves have this key.
  const isOfTask = ({ state }: Mutation): boolean => (state.variables as TaskMove).task.id === id;
  return client.isMutating({ mutationKey: moveKey, predicate: isOfTask });
}

/** Calls both functions, one after the other. */
export function both<Args extends readonly unknown[]>(
  first: (...args: Args) => unknown,
  second: ((...args: Args) => unknown) | undefined,
): (...args: Args) => Promise<void> {
  return async (...args) => {
    await first(...args);
    await second?.(...args);
  };
}

/** Options of `followTasks`. */
export interface FollowTasksOptions
  extends Pick<ChangeQuery, 'workspace_id'>, Pick<ChangeOptions, 'onState'> {
  /** Called with an error that a retry cannot fix. The queries are then no longer kept current. */
  readonly onError?: (error: unknown) => void;
}

/**
 * Keeps the cached queries of tasks current while others change the tasks. Lists and tasks are patched with each
 * change, and only what cannot be patched is read again. Returns a function that ends it.
 *
 * @example
 * import { QueryClient } from '@tanstack/query-core';
 * import { followTasks } from '@worktable/sdk/tanstack-query';
 *
 * const stop = followTasks(new QueryClient(), client, { workspace_id: 'home' });
 */
export function followTasks(
  queryClient: QueryClient,
  { tasks }: { readonly tasks: Pick<Tasks, 'changes'> },
  { workspace_id, onState, onError }: FollowTasksOptions = {},
): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  let hasBegun = false;
  const follow = async (): Promise<void> => {
    const changes = tasks.changes(
      { after: 'now', workspace_id, include: 'task' },
      {
        signal,
        onState: (state) => {
          // Queries that were read before the stream began may have missed changes until then.
          if (state.state === 'live' && !hasBegun) void queryClient.invalidateQueries({ queryKey: tasksKey });
          hasBegun ||= state.state === 'live';
          onState?.(state);
        },
      },
    );
    for await (const change of changes) showChange(queryClient, change);
  };
  follow().catch((error: unknown) => {
    if (!signal.aborted) onError?.(error);
  });
  return () => {
    controller.abort();
  };
}

function showChange(client: QueryClient, change: Change): void {
  const { task_id: id, action, task } = change;
  const isOfTask = ({ queryKey }: Query): boolean => {
    const { args } = Object(queryKey.at(-1)) as { readonly args?: readonly unknown[] };
    return args?.[0] === id;
  };
  for (const list of ['listComments', 'listAuditLogs'])
    void client.invalidateQueries({ queryKey: [...tasksKey, list], predicate: isOfTask });
  const isDeleted = action === 'delete';
  // A pending move of the user is shown until it has ended. Then its queries are read again.
  if ((!task && !isDeleted) || pendingMoves(client, id) > 0) return;
  refreshAfterFetch(client);
  const to = isDeleted ? undefined : (task ?? undefined);
  const undecided = showTask(client, { id, from: taskBefore(change), to });
  const deleted = isDeleted ? [[...tasksKey, 'get', { args: [id] }]] : [];
  for (const queryKey of [[...tasksKey, 'count'], ...deleted, ...undecided])
    void client.invalidateQueries({ queryKey });
}

/** The task before its change; undefined before its creation. */
function taskBefore(change: Change): Task | undefined {
  if (!change.task || change.action === 'create') return undefined;
  const { changes = {} } = payloadOf(change);
  const before = Object.entries(changes).map(([field, { from }]) => [field, from]);
  // The cast holds because an audit entry names fields of a task.
  return { ...change.task, ...(Object.fromEntries(before) as Partial<Task>) };
}

const awaited = new WeakSet<Promise<unknown>>();

/** Queries that are being read may get a response from before the change, so they are read once more. */
function refreshAfterFetch(client: QueryClient): void {
  const reading = client.getQueryCache().findAll({ queryKey: tasksKey, fetchStatus: 'fetching' });
  for (const { queryKey, promise } of reading) {
    if (promise === undefined || awaited.has(promise)) continue;
    awaited.add(promise);
    const refresh = (): void => void client.invalidateQueries({ queryKey, exact: true });
    promise.then(refresh, () => undefined);
  }
}
