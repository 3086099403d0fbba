import type { Task } from './resources.ts';

/** The version of a task that a change is based on. The change is sent with its `ETag` as the condition. */
export type TaskVersion = Pick<Task, 'id' | 'etag'>;

export type Enqueue = <Version extends TaskVersion>(
  seen: TaskVersion,
  change: (latest: TaskVersion) => Promise<Version>,
) => Promise<Version>;

// The number of replaced versions to remember: more than an application shows at once.
const rememberedMax = 1_000;

/**
 * Returns a function that sends the changes of a task one after the other. A user bases each change on all earlier
 * ones, so each is sent with the `ETag` that the previous change returned. If a change fails, the changes that wait for
 * it are not sent, because the version they build on never existed.
 */
export function createTaskQueue(): Enqueue {
  const last = new Map<string, Promise<TaskVersion>>();
  const replacements = new Map<string, TaskVersion>();
  const latest = (seen: TaskVersion): TaskVersion => {
    const replacement = replacements.get(seen.etag);
    return replacement === undefined ? seen : latest(replacement);
  };
  return async (seen, change) => {
    const previous: Promise<unknown> = last.get(seen.id) ?? Promise.resolve();
    const making = previous.then(async () => {
      const before = latest(seen);
      const made = await change(before);
      if (made.etag !== before.etag) replacements.set(before.etag, { id: made.id, etag: made.etag });
      const [oldest = ''] = replacements.keys();
      if (replacements.size > rememberedMax) replacements.delete(oldest);
      return made;
    });
    last.set(seen.id, making);
    try {
      return await making;
    } finally {
      if (last.get(seen.id) === making) last.delete(seen.id);
    }
  };
}
