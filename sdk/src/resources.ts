import type { components, operations } from './generated/contract.ts';

type Schemas = components['schemas'];

/** Status of a task: a well-known value or any other text. */
export type TaskStatus =
  'todo' | 'in_progress' | 'blocked' | 'done' | 'cancelled' | (string & Record<never, never>);

type WithStatus<Fields> = Omit<Fields, 'status'> & {
  /** Any text that is not blank. Null or an empty string sets the default, `todo`. */
  status?: TaskStatus | null;
};

/** A task as the server returns it. */
export type Task = Omit<Schemas['Task'], 'status'> & { status: TaskStatus };
/** The fields of a new task. */
export type TaskCreate = WithStatus<Schemas['TaskCreate']>;
/** The fields to change in a task. */
export type TaskUpdate = WithStatus<Schemas['TaskUpdate']>;
/** The assignee to set or clear. */
export type TaskAssignment = Schemas['TaskAssignment'];
/** The result of `tasks.delete`. */
export type DeletedTask = Schemas['DeletedTask'];
/** A comment on a task. */
export type Comment = Schemas['Comment'];
/** The fields of a new comment. */
export type CommentCreate = Schemas['CommentCreate'];
/** A recorded change of a task. */
export type AuditLogEntry = Schemas['AuditLogEntry'];
/** The state of chart rendering, with its formats. */
export type VizStatus = Schemas['VizStatus'];
/** A chart to render: its type, data, size and colors. */
export type ChartRequest = Schemas['ChartRequest'];
/** An agent as the server returns it. */
export type Agent = Schemas['Agent'];
/** The fields of a new agent. */
export type AgentCreate = Schemas['AgentCreate'];
/** One turn of an agent, finished or not. */
export type Run = Schemas['Run'];
/** The input of a run and its context, such as the session. */
export type RunRequest = Schemas['RunRequest'];
/** Event of a run. The last event is `run.completed` or `run.failed`. */
export type RunEvent = WithoutId<Schemas['RunEvent']>;
/** A conversation with an agent, with its latest run. */
export type Session = Schemas['Session'];
/** A message of a session. */
export type Message = Schemas['Message'];
/** Problem details (RFC 9457) of an error response. */
export type Problem = Schemas['Problem'];
/** Machine-readable code of an error. */
export type ErrorCode = Schemas['ErrorCode'];

// The id of an event is only useful for resuming the stream; a message has its own id.
type WithoutId<Event> = Event extends unknown ? Omit<Event, 'id'> : never;

type Query<Id extends keyof operations> = NonNullable<operations[Id]['parameters']['query']>;

/** Filters, sort order and page size of `tasks.list`. */
export type TaskQuery = Omit<Query<'listTasks'>, 'status'> & {
  /** Only tasks with this status, or with one of these statuses. An array must not be empty. */
  status?: TaskStatus | readonly TaskStatus[];
};
/** Page size and offset of `tasks.listComments`. */
export type CommentQuery = Query<'listComments'>;
/** Page size and offset of `tasks.listAuditLogs`. */
export type AuditLogQuery = Query<'listAuditLogs'>;
/** Page size and offset of `agents.list`. */
export type AgentQuery = Query<'listAgents'>;
/** Page size, offset and start of `sessions.listMessages`. */
export type MessageQuery = Query<'listMessages'>;

/** `operationId` of an operation in the contract; the server's logs contain it too. */
export type OperationId = keyof operations;
