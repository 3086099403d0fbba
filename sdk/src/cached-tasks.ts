import type { InfiniteData, Mutation, QueryClient } from '@tanstack/query-core';
import { areFieldFilters, matchesFields } from './field-filters.ts';
import type { Page } from './paginator.ts';
import type { MoveOptions, MutationCallbacks, TaskMove } from './query-options.ts';
import type { Task, TaskQuery } from './resources.ts';
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
export const tasksKey = ['worktable', 'tasks'] as const;

const moveKey = [...tasksKey, 'move'] as const;

/**
 * Shows a task's change in all cached queries. Returns the keys of lists that must be read again, because only the
 * server knows whether the task has entered them.
 */
export function showTask(client: QueryClient, step: TaskStep): QueryKey[] {
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
export function pendingMoves(client: QueryClient, id: string): number {
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
