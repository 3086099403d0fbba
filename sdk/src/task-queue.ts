import type { Task } from './resources.ts';

/** What a change is made on: the `ETag` is the condition of the change. */
export type TaskVersion = Pick<Task, 'id' | 'etag'>;

type Change<Version extends TaskVersion> = (latest: TaskVersion) => Promise<Version>;

export type Enqueue = <Version extends TaskVersion>(
  seen: TaskVersion,
  change: Change<Version>,
) => Promise<Version>;

// More than an application shows before it has seen the versions that replaced them.
const rememberedMax = 1_000;

/**
 * Returns a function that makes the changes of one task one after another. A user sees the version before them with all of
 * them; so each is made on the version that the one before has left. A change after one that has failed is not made, because it
 * was meant for a state that never was.
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
