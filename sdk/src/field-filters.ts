import type { Task, TaskQuery } from './resources.ts';

/** Filters of a list of tasks that compare a single field. */
export type FieldFilters = Pick<TaskQuery, (typeof fields)[number] | 'unassigned'>;

const fields = ['workspace_id', 'status', 'priority', 'assignee_id', 'assignee_type'] as const;

/** Returns true if the server would list the task. An empty text means no filter. */
export function matchesFields(task: Task, filters: FieldFilters): boolean {
  const { unassigned = task.assignee_id === null } = filters;
  return (
    unassigned === (task.assignee_id === null) &&
    fields.every((field) => {
      const wanted = filters[field] ?? '';
      return wanted === '' || [wanted].flat().includes(task[field] ?? '');
    })
  );
}

/** Returns true if `matchesFields` supports all filters that have a value. */
export function areFieldFilters(filters: TaskQuery): boolean {
  const names: readonly string[] = [...fields, 'unassigned'];
  return Object.entries(filters).every(
    ([name, value]) => names.includes(name) || value === undefined || value === '',
  );
}

/** The workspace to follow. Undefined without a filter or for an array: a stream follows one workspace or all. */
export function followedWorkspace({ workspace_id: wanted }: FieldFilters): string | undefined {
  return typeof wanted === 'string' ? wanted : undefined;
}
