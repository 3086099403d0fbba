import type { Query, QueryClient } from '@tanstack/query-core';
import { pendingMoves, showTask, tasksKey } from './cached-tasks.ts';
import { payloadOf } from './changes.ts';
import type { ChangeOptions } from './options.ts';
import type { Change, ChangeQuery, Task } from './resources.ts';
import type { Tasks } from './tasks.ts';

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
  for (const { queryKey, promise } of client
    .getQueryCache()
    .findAll({ queryKey: tasksKey, fetchStatus: 'fetching' })) {
    if (promise === undefined || awaited.has(promise)) continue;
    awaited.add(promise);
    const refresh = (): void => void client.invalidateQueries({ queryKey, exact: true });
    promise.then(refresh, () => undefined);
  }
}
