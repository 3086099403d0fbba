import type { ToolAnnotations } from '@modelcontextprotocol/server';
import type { OperationId } from '../../operation.ts';

/** A tool: an operation of the contract, as a model sees it. */
export interface ToolEntry {
  readonly name: string;
  readonly operation: OperationId;
  readonly title: string;
  readonly description: string;
  readonly hints: Hints;
  /** Of a list: the field of the result that has the entries. */
  readonly list?: string;
  /** The result is the picture of this field, as base64. */
  readonly picture?: 'png_base64';
  /** Fields of the body that the result does not have. */
  readonly omits?: readonly string[];
  /** Headers that every call has. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Every hint is set, because clients take an absent `destructiveHint` for true. */
type Hints = Required<Omit<ToolAnnotations, 'title'>>;

const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const adds = { ...reads, readOnlyHint: false, idempotentHint: false };
const changes = { ...reads, readOnlyHint: false, destructiveHint: true };

/** The tools of every server, in the order in which clients list them. */
export const tools: readonly ToolEntry[] = [
  {
    name: 'list_tasks',
    operation: 'listTasks',
    title: 'List tasks',
    description: 'Lists the tasks of the user, newest first, with the number of all that match the filters.',
    hints: reads,
    list: 'tasks',
  },
  {
    name: 'get_task',
    operation: 'getTask',
    title: 'Get a task',
    description:
      'Reads one task. Its etag is the version that update_task and assign_task accept as if_match.',
    hints: reads,
  },
  {
    name: 'create_task',
    operation: 'createTask',
    title: 'Create a task',
    description: 'Creates a task of the user. Only the title is required.',
    hints: adds,
  },
  {
    name: 'update_task',
    operation: 'updateTask',
    title: 'Update a task',
    description:
      'Changes the given fields of a task and keeps all others. An empty string clears a field. The status "done" completes the task.',
    hints: changes,
  },
  {
    name: 'assign_task',
    operation: 'assignTask',
    title: 'Assign a task',
    description:
      'Assigns a task to a person or an agent, without notifying or starting it. An empty assignee_id takes the assignment away.',
    hints: changes,
  },
  {
    name: 'list_comments',
    operation: 'listComments',
    title: 'List comments',
    description: 'Lists the comments on a task, oldest first.',
    hints: reads,
    list: 'comments',
  },
  {
    name: 'add_comment',
    operation: 'createComment',
    title: 'Add a comment',
    description: 'Writes a comment on a task, in the name of the user.',
    hints: adds,
  },
  {
    name: 'list_audit_log',
    operation: 'listAuditLogs',
    title: 'List the audit log',
    description:
      'Lists who changed a task, when, and from what to what, oldest first, also after its deletion.',
    hints: reads,
    list: 'entries',
  },
  {
    name: 'render_chart',
    operation: 'renderPng',
    title: 'Render a chart',
    description: 'Draws a bar, line or pie chart as a PNG picture.',
    hints: reads,
    picture: 'png_base64',
  },
  {
    name: 'list_agents',
    operation: 'listAgents',
    title: 'List agents',
    description: 'Lists the agents of the user, newest first.',
    hints: reads,
    list: 'agents',
  },
  {
    name: 'run_agent',
    operation: 'runAgent',
    title: 'Run an agent',
    description:
      'Starts a run of an agent and returns at once, usually before the run has ended: follow it with get_run. The agent may change tasks of the user.',
    hints: { ...changes, idempotentHint: false, openWorldHint: true },
    headers: { prefer: 'respond-async' },
    omits: ['required_action'],
  },
  {
    name: 'get_run',
    operation: 'getRun',
    title: 'Get a run',
    description:
      'Reads a run: its status, and its output once it has completed. Call it again while it is queued or running. With the status requires_action it waits for the user to approve it elsewhere.',
    hints: reads,
    omits: ['required_action'],
  },
  {
    name: 'cancel_run',
    operation: 'cancelRun',
    title: 'Cancel a run',
    description: 'Ends a queued or running run. What it has done stays done.',
    hints: changes,
    omits: ['required_action'],
  },
  {
    name: 'list_messages',
    operation: 'listMessages',
    title: 'List messages',
    description:
      'Lists the messages of a session of an agent, oldest first. Pictures are named, without their bytes.',
    hints: reads,
    list: 'messages',
    omits: ['data_base64'],
  },
];

/** A tool of servers that are configured to have it. */
export const deleteTask: ToolEntry = {
  name: 'delete_task',
  operation: 'deleteTask',
  title: 'Delete a task',
  description: 'Deletes a task and its comments for good. Its audit log stays.',
  hints: changes,
};
