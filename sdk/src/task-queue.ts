import type { Task } from './resources.ts';

type Change = (latest: Task) => Promise<Task>;

/**
 * Returns a function that makes the changes of one task one after another, each on the task that the change before has
 * returned. A change after one that has failed is not made, because it was meant for a state that never was.
 */
export function createTaskQueue(): (task: Task, change: Change) => Promise<Task> {
  const last = new Map<string, Promise<Task>>();
  return async (task, change) => {
    const made = last.get(task.id)?.then(change) ?? change(task);
    last.set(task.id, made);
    try {
      return await made;
    } finally {
      if (last.get(task.id) === made) last.delete(task.id);
    }
  };
}
