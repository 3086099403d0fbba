import type { Mutation, QueryClient } from '@tanstack/query-core';
import { showTask } from './cached-tasks.ts';
import type { MoveOptions, MutationCallbacks, TaskMove } from './query-options.ts';
import type { Task } from './resources.ts';
import { createTaskQueue } from './task-queue.ts';
import type { Tasks } from './tasks.ts';

/**
 * Changes a task if nobody has changed it since the user saw it. Queries show the change at once. If the server refuses
 * it, they show the old task until they have read the task again.
 */
export function createMove(
  tasks: Pick<Tasks, 'update'>,
  key: readonly string[],
): (callbacks?: MutationCallbacks<TaskMove, Task>) => MoveOptions {
  const enqueue = createTaskQueue();
  let unsettled = 0;
  const moved = ({ task, changes }: TaskMove): Task => ({ ...task, ...changes });
  return (callbacks = {}) => ({
    mutationKey: moveKey(key),
    networkMode: 'always',
    mutationFn: ({ task, changes }) =>
      enqueue(task, ({ etag }) => tasks.update(task.id, changes, { ifMatch: etag })),
    onMutate: async (move, { client }) => {
      unsettled += 1;
      // A pending response would show the old task.
      await client.cancelQueries({ queryKey: key });
      showTask(client, key, { id: move.task.id, from: move.task, to: moved(move) });
    },
    onSuccess: both((task, move, _shown, { client }) => {
      // A later move of this task is pending. The queries show that move, which this response does not include.
      if (pendingMoves(client, key, task.id) > 1) return;
      showTask(client, key, { id: task.id, from: moved(move), to: task });
    }, callbacks.onSuccess),
    onError: both((_error, move, _shown, { client }) => {
      showTask(client, key, { id: move.task.id, from: moved(move), to: move.task });
    }, callbacks.onError),
    onSettled: both(async (_moved, _error, _move, _shown, { client }) => {
      // Lists are read again only after the last move, because an earlier response would not include it.
      unsettled -= 1;
      if (unsettled === 0) await client.invalidateQueries({ queryKey: key });
    }, callbacks.onSettled),
  });
}

/** The number of moves of a task that have not ended. */
export function pendingMoves(client: QueryClient, key: readonly string[], id: string): number {
  // All mutations with this key are moves.
  const isOfTask = ({ state }: Mutation): boolean => (state.variables as TaskMove).task.id === id;
  return client.isMutating({ mutationKey: moveKey(key), predicate: isOfTask });
}

function moveKey(key: readonly string[]): string[] {
  return [...key, 'move'];
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
