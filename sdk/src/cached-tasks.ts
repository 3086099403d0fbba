import type { InfiniteData, Mutation, QueryClient, QueryFilters } from '@tanstack/query-core';
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

type ListData = Page<Task> | InfiniteData<Page<Task>>;

/** The key of every query about tasks starts with these parts. */
const tasksKey = ['worktable', 'tasks'] as const;

const moveKey = [...tasksKey, 'move'] as const;

/** Shows a task's change in all cached queries. Returns filters for the lists that must be read again. */
function showTask(client: QueryClient, step: TaskStep): QueryFilters[] {
  const { id, to } = step;
  client.setQueriesData<Task>({ queryKey: [...tasksKey, 'get', { args: [id] }] }, (task) => task && to);
  const undecided: QueryFilters[] = [];
  for (const [queryKey, data] of client.getQueriesData<ListData>({ queryKey: [...tasksKey, 'list'] })) {
    if (data === undefined) continue;
    // The key of a list ends with the arguments of the list.
    const { args } = queryKey.at(-1) as { readonly args: readonly [TaskQuery?] };
    const { pages, isDecided } = placeIn(data, args[0] ?? {}, step);
    // `setQueryData` marks the list as valid. A list that was invalid must still be read again.
    if (!isDecided || client.getQueryState(queryKey)?.isInvalidated === true)
      undecided.push({ queryKey, exact: true });
    client.setQueryData(queryKey, 'pages' in data ? { ...data, pages } : pages[0]);
  }
  return undecided;
}

/**
 * Replaces, removes or adds the task in the pages of a list, according to the list's filters. `isDecided` is false if
 * only the server knows the new list: a filter or order is not supported here, or other pages may change.
 */
function placeIn(
  data: ListData,
  { sort = '-created_at', limit, offset = 0, cursor, ...filters }: TaskQuery,
  { id, from, to }: TaskStep,
): { readonly pages: readonly Page<Task>[]; readonly isDecided: boolean } {
  const pages = 'pages' in data ? data.pages : [data];
  const listed = pages.flatMap(({ items }) => items);
  const shown = listed.find((task) => task.id === id);
  const before = shown ?? (from && matchesFields(from, filters) ? from : undefined);
  const placed = to !== undefined && matchesFields(to, filters) ? [to] : [];
  const isSupported = areFieldFilters(filters) && offset === 0 && cursor === undefined && limit !== 0;
  const isSorted = sort !== '-created_at';
  const hasMore = pages.at(-1)?.hasMore === true;

  const next = listed.find((task) => isSorted || placed.some((newer) => newer.created_at >= task.created_at));
  const added = isSupported && !before && (next !== undefined || !hasMore) ? placed : [];
  const changed = pages.map((page, index) => {
    const items = page.items.flatMap((task) => {
      if (task.id === id) return placed;
      return task === next ? [...added, task] : [task];
    });
    if (next === undefined && index === pages.length - 1) items.push(...added);
    const growth = shown ? placed.length - 1 : added.length;
    return { ...page, items, count: page.count === undefined ? undefined : page.count + growth };
  });

  const field = sort.replace('-', '') as keyof Task;
  const isInOrder = !isSorted || placed.every((task) => before?.[field] === task[field]);
  const isCounted = 'pages' in data && (shown !== undefined || added.length > 0);
  const isWhole = isCounted || (limit === undefined && !hasMore) || (before && placed.length > 0);
  const isDecided = isSupported && isInOrder && isWhole === true;
  return { pages: changed, isDecided: isDecided || (before === undefined && placed.length === 0) };
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
      // Queries are read again only after the last move has ended: an earlier response would not include that move.
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
  readonly onError?: ((error: unknown) => void) | undefined;
}

/**
 * Keeps the cached queries of tasks current while others change the tasks. Lists and tasks are patched with each
 * change, and only what cannot be patched is read again. Returns a function that stops following.
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
  for (const list of ['listComments', 'listAuditLogs'])
    void client.invalidateQueries({ queryKey: [...tasksKey, list, { args: [id] }] });
  const isDeleted = action === 'delete';
  // A pending move of the user is shown until it has ended. Then its queries are read again.
  if ((!task && !isDeleted) || pendingMoves(client, id) > 0) return;
  refreshAfterFetch(client);
  const to = isDeleted ? undefined : (task ?? undefined);
  const undecided = showTask(client, { id, from: taskBefore(change), to });
  const deleted = isDeleted ? [{ queryKey: [...tasksKey, 'get', { args: [id] }] }] : [];
  for (const filters of [{ queryKey: [...tasksKey, 'count'] }, ...deleted, ...undecided])
    // `refreshAfterFetch` repeats a read in progress. If each change cancelled the read, it might never end.
    void client.invalidateQueries(filters, { cancelRefetch: false });
}

/** The task before its change; undefined before its creation. */
function taskBefore(change: Change): Task | undefined {
  if (change.action === 'create') return undefined;
  const { changes = {}, ...deleted } = payloadOf(change);
  const before = Object.entries(changes).map(([field, { from }]) => [field, from]);
  // An entry lacks the earlier `updated_at`. The cast assumes that a deletion has its task; old ones have none.
  return { ...(change.task ?? deleted), updated_at: '', ...Object.fromEntries(before) } as Task;
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
