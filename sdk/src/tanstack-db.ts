import type { CollectionConfig, SyncConfig } from '@tanstack/db';
import { NotFoundError } from './errors.ts';
import { followedWorkspace, matchesFields, type FieldFilters } from './field-filters.ts';
import type { ChangeOptions } from './options.ts';
import type { Task, TaskCreate } from './resources.ts';
import { idempotencyKeyOf } from './retries.ts';
import { createTaskQueue, type TaskVersion } from './task-queue.ts';
import type { Tasks } from './tasks.ts';

export type { FieldFilters } from './field-filters.ts';

/** The filters of a collection, and a function that is called when the state of its stream changes. */
export interface TaskCollectionQuery extends FieldFilters, Pick<ChangeOptions, 'onState'> {}

/** The fields that an application sets in a task. */
type Fields = Pick<Task, keyof TaskCreate & keyof Task>;

/** A task to insert. Its `id` is temporary, and is also the idempotency key of the call. The default is a random id. */
export type NewTask = Partial<Fields> & Pick<Task, 'title'> & { readonly id?: string };

/** Fills in provisional fields of a new task, which is shown until the server has created it. */
export interface TaskSchema {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: 'worktable';
    readonly validate: (task: unknown) => { readonly value: Task };
    readonly types?: { readonly input: NewTask; readonly output: Task };
  };
}

export interface TaskCollectionOptions extends CollectionConfig<Task, string, TaskSchema> {
  readonly schema: TaskSchema;
}

/**
 * Options of a TanStack DB collection with the tasks of a query. The collection stays current and shows writes at once.
 * If the server refuses a write, the collection takes it back.
 *
 * @example
 * import { createCollection } from '@tanstack/db';
 * import { taskCollectionOptions } from '@worktable/sdk/tanstack-db';
 *
 * const tasks = createCollection(taskCollectionOptions(client, { workspace_id: 'home' }));
 * await tasks.preload();
 * const { id } = await client.tasks.create({ title: 'Buy milk' });
 * tasks.update(id, (task) => { task.status = 'done'; });
 */
export function taskCollectionOptions(
  { tasks }: { readonly tasks: Pick<Tasks, 'snapshot' | 'changes' | 'create' | 'update' | 'delete'> },
  query: TaskCollectionQuery = {},
): TaskCollectionOptions {
  const enqueue = createTaskQueue();
  let copy: ReturnType<typeof startCopy> | undefined;
  const write = async (seen: Task, change: SendChange): Promise<void> => {
    // A collection starts before its first write, so the copy exists.
    await enqueue(seen, (latest) => copy?.write(latest, change) ?? Promise.reject(new Error(notStarted)));
  };
  return {
    getKey: ({ id }) => id,
    schema: {
      '~standard': {
        version: 1,
        vendor: 'worktable',
        // The cast holds because the types allow no other fields, and the server refuses invalid values.
        validate: (task) => ({ value: completeTask(task as NewTask, query) }),
      },
    },
    sync: {
      rowUpdateMode: 'full',
      sync: (sync) => {
        copy = startCopy(tasks, query, sync);
        return copy.stop;
      },
    },
    onInsert: forEach(({ modified }) =>
      write(modified, () => tasks.create(fieldsOf(modified), { idempotencyKey: modified.id })),
    ),
    onUpdate: forEach(({ original, changes }) =>
      write(original, ({ id, etag }) => tasks.update(id, changes, { ifMatch: etag })),
    ),
    onDelete: forEach(({ original }) =>
      write(original, async ({ id, etag }) => {
        await tasks.delete(id, { ifMatch: etag }).catch(ignoreNotFound);
        return null;
      }),
    ),
  };
}

/** Sends all mutations of a transaction. */
function forEach<Mutation>(
  send: (mutation: Mutation) => Promise<void>,
): (of: { readonly transaction: { readonly mutations: readonly Mutation[] } }) => Promise<unknown> {
  return ({ transaction }) => Promise.all(transaction.mutations.map(send));
}

const notStarted = 'The collection has not been started.';

/** The task is already deleted, by somebody else or by an attempt whose response was lost. */
function ignoreNotFound(error: unknown): void {
  if (!(error instanceof NotFoundError)) throw error;
}

/** The task as the server will probably create it. */
function completeTask({ id = idempotencyKeyOf({}), ...fields }: NewTask, filters: FieldFilters): Task {
  const now = new Date().toISOString();
  return {
    ...emptyFields,
    workspace_id: followedWorkspace(filters) ?? null,
    user_id: '',
    completed_at: null,
    created_at: now,
    updated_at: now,
    etag: id,
    ...fields,
    id,
  };
}

const emptyFields: Omit<Fields, 'title' | 'workspace_id'> = {
  description: null,
  status: 'todo',
  priority: 'none',
  assignee_id: null,
  assignee_type: null,
  assignee_name: null,
  due_date: null,
  tags: null,
  metadata: null,
};

function fieldsOf(task: Task): TaskCreate {
  const { id, user_id, etag, created_at, updated_at, completed_at, ...fields } = task;
  return fields;
}

/** Sends a change of a task. Resolves to the changed task, or to null after a deletion. */
type SendChange = (latest: TaskVersion) => Promise<Task | null>;

/** Reads the list and then follows its changes, until the collection is cleaned up. */
function startCopy(
  tasks: Pick<Tasks, 'snapshot' | 'changes'>,
  { onState, ...filters }: TaskCollectionQuery,
  { begin, write, commit, markReady, markError }: Parameters<SyncConfig<Task, string>['sync']>[0],
) {
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
      // A change without its task is followed by the deletion of the task.
      else if (task) show(id, task);
    }
  };
  follow().catch((error: unknown) => {
    if (!signal.aborted) markError(error);
  });

  return {
    /** Sends a change of a task and shows its result. */
    async write(task: TaskVersion, change: SendChange): Promise<TaskVersion> {
      // Wait for the list. The stream sends every later change.
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
