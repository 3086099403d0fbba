import type { Task } from './resources.ts';

/** The version that a change is made on. Its `ETag` is the condition of the change. */
export type TaskVersion = Pick<Task, 'id' | 'etag'>;

type Change<Version extends TaskVersion> = (latest: TaskVersion) => Promise<Version>;

export type Enqueue = <Version extends TaskVersion>(
  seen: TaskVersion,
  change: Change<Version>,
) => Promise<Version>;

// An application has fewer outdated versions of tasks on display than this.
const rememberedMax = 1_000;

/**
 * Returns a function that makes the changes of one task one after another. Each change of a user is based on all
 * earlier changes, so it is sent with the `ETag` that the change before it returned. A change after a failed one is not
 * sent, because it was meant for a version that never existed.
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
      for (const etag of replacements.keys()) {
        if (replacements.size <= rememberedMax) break;
        replacements.delete(etag);
      }
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
