import type { InfiniteData, Mutation, MutationFunctionContext, QueryClient } from '@tanstack/query-core';
import { areFieldFilters, matchesFields } from './field-filters.ts';
import type { Page } from './paginator.ts';
import type { Task, TaskQuery, TaskUpdate } from './resources.ts';
import { createTaskQueue } from './task-queue.ts';
import type { Tasks } from './tasks.ts';

/** A task as the user sees it, and the new values of some of its fields. */
export interface TaskMove {
  readonly task: Task;
  readonly changes: { readonly [Field in keyof TaskUpdate & keyof Task]?: Task[Field] };
}

/** Options of a mutation that shows its change at once. */
export interface MoveOptions {
  readonly mutationKey: readonly string[];
  readonly mutationFn: (move: TaskMove) => Promise<Task>;
  readonly onMutate: (move: TaskMove, context: MutationFunctionContext) => Promise<void>;
  readonly onSuccess: (moved: Task, move: TaskMove, shown: unknown, context: MutationFunctionContext) => void;
  readonly onError: (error: Error, move: TaskMove, shown: unknown, context: MutationFunctionContext) => void;
  readonly onSettled: (
    moved: unknown,
    error: Error | null,
    move: unknown,
    shown: unknown,
    context: MutationFunctionContext,
  ) => Promise<void>;
}

/**
 * Changes a task if nobody has changed it since the user saw it. Queries show the change at once. If the server refuses
 * it, they show the old task until they have read the task again.
 */
export function createMove(tasks: Pick<Tasks, 'update'>, key: readonly string[]): () => MoveOptions {
  const enqueue = createTaskQueue();
  const mutationKey = [...key, 'move'];
  const moved = ({ task, changes }: TaskMove): Task => ({ ...task, ...changes });
  return () => ({
    mutationKey,
    mutationFn: ({ task, changes }) =>
      enqueue(task, ({ etag }) => tasks.update(task.id, changes, { ifMatch: etag })),
    onMutate: async (move, { client }) => {
      // A pending response would show the old task.
      await client.cancelQueries({ queryKey: key });
      show(client, key, { from: move.task, to: moved(move) });
    },
    onSuccess: (task, move, _shown, { client }) => {
      // All mutations with this key are moves.
      const isOfTask = ({ state }: Mutation): boolean => (state.variables as TaskMove).task.id === task.id;
      // A later move of this task is pending. The queries show that move, which this response does not include.
      if (client.isMutating({ mutationKey, predicate: isOfTask }) > 1) return;
      show(client, key, { from: moved(move), to: task });
    },
    onError: (_error, move, _shown, { client }) => {
      show(client, key, { from: moved(move), to: move.task });
    },
    onSettled: async (_moved, _error, _move, _shown, { client }) => {
      // Lists are read again only after the last move, because an earlier response would not include it.
      if (client.isMutating({ mutationKey }) === 1) await client.invalidateQueries({ queryKey: key });
    },
  });
}

interface Step {
  readonly from: Task;
  readonly to: Task;
}

function show(client: QueryClient, key: readonly string[], step: Step): void {
  const { to } = step;
  client.setQueriesData<Task>({ queryKey: [...key, 'get', { args: [to.id] }] }, (task) => task && to);
  for (const [queryKey, data] of client.getQueriesData<ListData>({ queryKey: [...key, 'list'] })) {
    if (data === undefined) continue;
    // The key of a list ends with the arguments of the list.
    const { args } = queryKey.at(-1) as { readonly args: readonly [TaskQuery?] };
    const place = placeIn(args[0] ?? {}, step);
    client.setQueryData(queryKey, 'pages' in data ? { ...data, pages: place(data.pages) } : place([data])[0]);
  }
}

type TaskPage = Page<Task>;
type ListData = TaskPage | InfiniteData<TaskPage>;

/**
 * Returns a function that replaces, removes or adds the task in a list, according to the filters of the list. It adds
 * the task only if it supports all filters, and only to a list that starts at its beginning.
 */
function placeIn(
  { sort, limit, offset = 0, cursor, ...filters }: TaskQuery,
  { from, to }: Step,
): (pages: readonly TaskPage[]) => TaskPage[] {
  const fits = matchesFields(to, filters);
  const isFromStart = offset === 0 && cursor === undefined;
  const enters = fits && !matchesFields(from, filters) && areFieldFilters(filters) && isFromStart;
  return (pages) => {
    const isListed = pages.some(({ items }) => items.some(({ id }) => id === to.id));
    return pages.map((page, index) => {
      const items = page.items.flatMap((task) => (task.id !== to.id ? [task] : fits ? [to] : []));
      return { ...page, items: !isListed && enters && index === 0 ? [to, ...items] : items };
    });
  };
}
