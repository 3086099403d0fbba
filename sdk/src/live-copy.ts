import type { SyncConfig } from '@tanstack/db';
import { followedWorkspace, matchesFields, type FieldFilters } from './field-filters.ts';
import type { ChangeOptions } from './options.ts';
import type { Task } from './resources.ts';
import type { TaskVersion } from './task-queue.ts';
import type { Tasks } from './tasks.ts';

type Sync = Parameters<SyncConfig<Task, string>['sync']>[0];

/** The tasks of a query. They are kept current in a collection until it is cleaned up. */
export interface LiveCopy {
  /** Sends a change of a task and shows its result: the changed task, or null after a deletion. */
  write(task: TaskVersion, change: (task: TaskVersion) => Promise<Task | null>): Promise<TaskVersion>;
  readonly stop: () => void;
}

/** Reads the list and then follows its changes. */
export function startCopy(
  tasks: Pick<Tasks, 'snapshot' | 'changes'>,
  { onState, ...filters }: FieldFilters & Pick<ChangeOptions, 'onState'>,
  { begin, write, commit, markReady, markError }: Sync,
): LiveCopy {
  const controller = new AbortController();
  const { signal } = controller;
  const show = (id: string, task: Task | null): void => {
    begin();
    if (task !== null && matchesFields(task, filters)) write({ type: 'update', value: task });
    else write({ type: 'delete', key: id });
    // The collection shows this task when the pending writes have ended.
    void commit();
  };
  // The etags of changes that the stream has sent during a write.
  const arrived = new Set<string | null>();
  let writes = 0;

  const onPage = (listed: readonly Task[]): void => {
    begin();
    for (const value of listed) write({ type: 'update', value });
    void commit();
  };
  const snapshot = tasks.snapshot(filters, { signal, retriesMax: Infinity, onPage });
  const follow = async (): Promise<void> => {
    const { after } = await snapshot;
    markReady();
    const request = { after, workspace_id: followedWorkspace(filters), include: 'task' } as const;
    const changes = tasks.changes(request, { signal, onState });
    for await (const { task_id: id, action, etag, task } of changes) {
      if (writes > 0) arrived.add(etag);
      if (action === 'delete') show(id, null);
      // Without its task, a change says nothing about the task. The change of a deletion follows it.
      else if (task) show(id, task);
    }
  };
  follow().catch((error: unknown) => {
    if (!signal.aborted) markError(error);
  });

  return {
    async write(task, change) {
      // When the list has been read, the stream has every later change of the server.
      await snapshot;
      writes += 1;
      try {
        const changed = await change(task);
        const isOlder = changed !== null && (changed.etag === task.etag || arrived.has(changed.etag));
        if (!isOlder && !signal.aborted) show(changed?.id ?? task.id, changed);
        return changed ?? task;
      } finally {
        writes -= 1;
        if (writes === 0) arrived.clear();
      }
    },
    stop: () => {
      controller.abort();
    },
  };
}
