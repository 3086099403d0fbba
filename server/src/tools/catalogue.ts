import type { ToolEntry } from './tool-entry.ts';

/** All tools, in the order in which clients list them. */
const table = [
  {
    name: 'list_tasks',
    operation: 'listTasks',
    description: 'Lists the tasks of the user, newest first, with the number of all that match the filters.',
    effect: 'reads',
    list: 'tasks',
    summary: ['id', 'title', 'status', 'priority', 'assignee_name', 'due_date', 'tags', 'created_at'],
    skills: ['tasks', 'tasks:read'],
  },
  {
    name: 'get_task',
    operation: 'getTask',
    description: 'Reads one task with all its fields.',
    effect: 'reads',
    skills: ['tasks', 'tasks:read'],
  },
  {
    name: 'create_task',
    operation: 'createTask',
    description: 'Creates a task of the user. Only the title is required.',
    effect: 'adds',
    fromContext: ['workspace_id'],
    skills: ['tasks'],
  },
  {
    name: 'update_task',
    operation: 'updateTask',
    description:
      'Changes the given fields of a task and keeps all others; clear empties fields. The status "done" completes the task.',
    effect: 'changes',
    skills: ['tasks'],
  },
  {
    name: 'assign_task',
    operation: 'assignTask',
    description:
      'Assigns a task to a person or an agent, without notifying or starting it. Clear assignee_id to take the assignment away.',
    effect: 'changes',
    skills: ['tasks'],
  },
  {
    name: 'list_comments',
    operation: 'listComments',
    description: 'Lists the comments on a task, oldest first.',
    effect: 'reads',
    list: 'comments',
    summary: ['id', 'author_name', 'created_at', 'body'],
    skills: ['tasks', 'tasks:read'],
  },
  {
    name: 'add_comment',
    operation: 'createComment',
    description: 'Writes a comment on a task.',
    effect: 'adds',
    skills: ['tasks'],
  },
  {
    name: 'list_audit_log',
    operation: 'listAuditLogs',
    description:
      'Lists who changed a task, when, and from what to what, oldest first, also after its deletion.',
    effect: 'reads',
    list: 'entries',
  },
  {
    name: 'render_chart',
    operation: 'renderPng',
    description: 'Draws a chart as a PNG picture.',
    effect: 'reads',
    picture: 'png_base64',
    skills: ['viz'],
  },
  {
    name: 'link_chart',
    operation: 'linkChart',
    description:
      'Makes the address of a picture of a chart, which shows the chart to anybody until it expires, for Markdown, mails and pages.',
    effect: 'reads',
    // The list of tools has the schema of a chart only once.
    schemas: { chart: { type: 'object', description: 'An object with the arguments of render_chart.' } },
  },
  {
    name: 'list_agents',
    operation: 'listAgents',
    description: 'Lists the agents of the user, newest first.',
    effect: 'reads',
    list: 'agents',
    omits: ['model_options'],
  },
  {
    name: 'run_agent',
    operation: 'runAgent',
    description:
      'Starts a run of an agent and returns at once, usually before the run has ended: follow it with get_run. The agent may change tasks of the user.',
    effect: 'delegates',
    headers: { prefer: 'respond-async' },
    omits: ['required_action'],
  },
  {
    name: 'get_run',
    operation: 'getRun',
    description:
      'Reads a run: its status, and its output once it has completed. Call it again while it is queued or running. With the status requires_action it waits for the user to approve it elsewhere.',
    effect: 'reads',
    // `until` is for streams, which tools do not read.
    omits: ['until', 'required_action'],
  },
  {
    name: 'cancel_run',
    operation: 'cancelRun',
    description: 'Ends a queued or running run. What it has done stays done.',
    effect: 'changes',
    omits: ['required_action'],
  },
  {
    name: 'list_messages',
    operation: 'listMessages',
    description:
      'Lists the messages of a session of an agent, oldest first. Pictures are named, without their bytes.',
    effect: 'reads',
    list: 'messages',
    omits: ['data_base64'],
  },
  {
    name: 'delete_task',
    operation: 'deleteTask',
    description: 'Deletes a task and its comments for good. Its audit log stays.',
    effect: 'deletes',
    skills: ['tasks'],
  },
] as const satisfies readonly ToolEntry[];

export const tools: readonly ToolEntry[] = table;

type EntryOfAgents = Extract<(typeof table)[number], { skills: unknown }>;

/** The operations that agents call. The server must provide them to agents. */
export type AgentOperation = EntryOfAgents['operation'];

export type AgentTool = ToolEntry & Pick<EntryOfAgents, 'operation' | 'skills'>;

export const agentTools: readonly AgentTool[] = table.filter((entry) => 'skills' in entry);
