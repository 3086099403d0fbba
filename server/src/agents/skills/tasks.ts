import type { Schemas } from '../../operation.ts';
import type { TaskTool } from './operation-tool.ts';

/** The tools of the skills `tasks` and `tasks:read`. */
export const readingTools: readonly TaskTool[] = [
  {
    name: 'list_tasks',
    operation: 'listTasks',
    description:
      'Lists tasks of the user, newest first, with the number of all that match. Use q to search for a text.',
    // A list is for finding tasks. Long texts would take up the space of the conversation.
    summarize: (body: Schemas['TaskList']) => ({
      count: body.count,
      tasks: body.tasks.map(({ id, title, status, priority, assignee_name, due_date, tags }) =>
        withoutNulls({ id, title, status, priority, assignee_name, due_date, tags }),
      ),
    }),
  },
  { name: 'get_task', operation: 'getTask', description: 'Reads one task with all its fields.' },
  {
    name: 'list_comments',
    operation: 'listComments',
    description: 'Lists the comments on a task, oldest first. For later ones, use offset.',
    defaults: { limit: 20 },
    summarize: (body: Schemas['Comment'][]) => ({
      comments: body.map(({ id, author_name, created_at, body: text }) => ({
        id,
        author_name,
        created_at,
        body: text,
      })),
    }),
  },
];

function withoutNulls(fields: Readonly<Record<string, string | null>>): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

/** The tools that the skill `tasks` has in addition. Deleting is deliberately not a tool. */
export const changingTools: readonly TaskTool[] = [
  {
    name: 'create_task',
    operation: 'createTask',
    description: 'Creates a task for the user. Only the title is required.',
    addFromContext: (values, context) =>
      values['workspace_id'] === undefined && typeof context['workspace_id'] === 'string'
        ? { ...values, workspace_id: context['workspace_id'] }
        : values,
  },
  {
    name: 'update_task',
    operation: 'updateTask',
    description: 'Changes the given fields of a task. A task is completed with the status "done".',
  },
  {
    name: 'assign_task',
    operation: 'assignTask',
    description: 'Assigns a task to a person or an agent. An empty assignee_id removes the assignment.',
  },
  { name: 'add_comment', operation: 'createComment', description: 'Writes a comment on a task.' },
];
