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

/** The options of a mutation that shows its change at once. */
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
 * Changes a task if it is as the user has seen it. The queries show the change at once. If the server refuses it, they
 * show the task as it was until the server has sent the task again.
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
      // A pending response would show the task as it was.
      await client.cancelQueries({ queryKey: key });
      show(client, key, { from: move.task, to: moved(move) });
    },
    onSuccess: (task, move, _shown, { client }) => {
      // All mutations with this key are moves.
      const isOfTask = ({ state }: Mutation): boolean => (state.variables as TaskMove).task.id === task.id;
      // A later move of the task is pending. The queries show its change, which this response does not have.
      if (client.isMutating({ mutationKey, predicate: isOfTask }) > 1) return;
      show(client, key, { from: moved(move), to: task });
    },
    onError: (_error, move, _shown, { client }) => {
      show(client, key, { from: moved(move), to: move.task });
    },
    onSettled: async (_moved, _error, _move, _shown, { client }) => {
      // A list that is read before the last move has ended would not show the move.
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
    // The keys of lists end with their arguments.
    const { args } = queryKey.at(-1) as { readonly args: readonly [TaskQuery?] };
    const place = placeIn(args[0] ?? {}, step);
    client.setQueryData(queryKey, 'pages' in data ? { ...data, pages: place(data.pages) } : place([data])[0]);
  }
}

type TaskPage = Page<Task>;
type ListData = TaskPage | InfiniteData<TaskPage>;

/**
 * Returns a function that replaces, removes or adds the task in a list, by the filters of the list. The task is added
 * only if all filters are known here, and only to a list that begins with its first task.
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
