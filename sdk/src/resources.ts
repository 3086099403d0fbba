import type { components, operations } from './generated/contract.ts';

type Schemas = components['schemas'];

/** A status of a task: one of the well-known ones, or any other text. */
export type TaskStatus =
  'todo' | 'in_progress' | 'blocked' | 'done' | 'cancelled' | (string & Record<never, never>);

type WithStatus<Fields> = Omit<Fields, 'status'> & {
  /** Any text that is not blank; null or empty means the default, `todo`. */
  status?: TaskStatus | null;
};

export type Task = Omit<Schemas['Task'], 'status'> & { status: TaskStatus };
export type TaskCreate = WithStatus<Schemas['TaskCreate']>;
export type TaskUpdate = WithStatus<Schemas['TaskUpdate']>;
export type TaskAssignment = Schemas['TaskAssignment'];
export type DeletedTask = Schemas['DeletedTask'];
export type Comment = Schemas['Comment'];
export type CommentCreate = Schemas['CommentCreate'];
export type AuditLogEntry = Schemas['AuditLogEntry'];
export type VizStatus = Schemas['VizStatus'];
export type ChartRequest = Schemas['ChartRequest'];
export type Agent = Schemas['Agent'];
export type AgentCreate = Schemas['AgentCreate'];
export type Run = Schemas['Run'];
export type RunRequest = Schemas['RunRequest'];
/** One event of a run. The last one is `run.completed` or `run.failed`. */
export type RunEvent = WithoutId<Schemas['RunEvent']>;
export type Session = Schemas['Session'];
export type Message = Schemas['Message'];
export type Problem = Schemas['Problem'];
export type ErrorCode = Schemas['ErrorCode'];

// The number of an event is of use only to the stream itself; a message has an id of its own.
type WithoutId<Event> = Event extends unknown ? Omit<Event, 'id'> : never;

type Query<Id extends keyof operations> = NonNullable<operations[Id]['parameters']['query']>;

/** Filters, order and page size of a list of tasks. */
export type TaskQuery = Omit<Query<'listTasks'>, 'status'> & {
  /** Only tasks with this status, or with one of these, of which there must be one. */
  status?: TaskStatus | readonly TaskStatus[];
};
export type CommentQuery = Query<'listComments'>;
export type AuditLogQuery = Query<'listAuditLogs'>;
export type AgentQuery = Query<'listAgents'>;
export type MessageQuery = Query<'listMessages'>;

/** The name of an operation, the same in the contract, in the server and in logs. */
export type OperationId = keyof operations;
