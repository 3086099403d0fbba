import type { components, operations } from './generated/contract.ts';

export type * from './generated/contract.ts';

type Schemas = components['schemas'];

/** Status of a task: a well-known value, or any other text. */
export type TaskStatus =
  'todo' | 'in_progress' | 'blocked' | 'done' | 'cancelled' | (string & Record<never, never>);

type WithStatus<Fields> = Omit<Fields, 'status'> & {
  /** Any text that is not blank. Null or an empty string means the default, `todo`. */
  status?: TaskStatus | null | undefined;
};

/** A task as the server returns it. */
export type Task = Omit<Schemas['Task'], 'status'> & { status: TaskStatus };
/** The fields of a new task. */
export type TaskCreate = WithStatus<Schemas['TaskCreate']>;
/** The fields to change in a task. */
export type TaskUpdate = WithStatus<Schemas['TaskUpdate']>;
/**
 * An event in the stream of a run. The last one is `run.completed`, `run.incomplete`, `run.failed`, `run.cancelled` or
 * `run.requires_action`. With `until` set to `finished`, the stream continues after `run.requires_action`.
 */
export type RunEvent = EventOf<Schemas['RunEvent']>;
/** An event in the stream of a session: a new message, or a run that is new or has changed. */
export type SessionEvent = EventOf<Schemas['SessionEvent']>;
/** The payload of an audit entry, parsed by `payloadOf`. */
export type AuditDetails = Schemas['AuditDetails'];
/** An event in the stream of changes. */
export type ChangeEvent = EventOf<Schemas['ChangeEvent']>;
/** Machine-readable code of an error. */
export type ErrorCode = Schemas['ErrorCode'];
/** Machine-readable reason why a field was refused. */
export type FieldErrorCode = Schemas['FieldErrorCode'];

// One type for each event, so that its name determines the type of its data.
type EventOf<Event> = Event extends { event: infer Name }
  ? Name extends string
    ? Omit<Event, 'event'> & { event: Name }
    : never
  : never;

/** Operations of `tasks.batch`, at most 100 together. */
export interface TaskBatch {
  readonly create?: readonly TaskCreate[] | undefined;
  readonly update?: readonly BatchUpdate[] | undefined;
  readonly delete?: readonly BatchDelete[] | undefined;
}
/** The fields to change in a task of a batch. */
export type BatchUpdate = WithStatus<Schemas['BatchUpdate']>;
/** A task to delete in a batch. */
export type BatchDelete = Schemas['BatchDelete'];

type Query<Id extends keyof operations> = NonNullable<operations[Id]['parameters']['query']>;

/** Filters, sort order, page size, offset and cursor of `tasks.list`. */
export type TaskQuery = WithDates<WithSeveral<Query<'listTasks'>>>;
/** Filters of `tasks.count`. */
export type TaskCountQuery = WithSeveral<Query<'countTasks'>>;

/** A date or date-time of ISO 8601, a `Date` or a `Temporal` value. All are sent as text. */
export type DateFilter = string | Date | { readonly [Symbol.toStringTag]: `Temporal.${string}` };

type DateName = 'updated_since' | `${'due' | 'completed'}_${'before' | 'after'}`;

type WithDates<Filters> = {
  [Name in keyof Filters]: Name extends DateName ? DateFilter | undefined : Filters[Name];
};

/** The value of a filter, or an array of values, one of which must match. The array must not be empty. */
export type OneOrMore<Text extends string> = Text | readonly Text[] | undefined;

type WithSeveral<Filters> = {
  [Name in keyof Filters]: Filters[Name] extends string[] | undefined
    ? OneOrMore<Name extends 'status' ? TaskStatus : string>
    : Filters[Name];
};
/** Page size, offset and cursor of `tasks.listComments`. */
export type CommentQuery = Query<'listComments'>;
/** Page size, offset and cursor of `tasks.listAuditLogs`. */
export type AuditLogQuery = Query<'listAuditLogs'>;
/** Start position, workspace and page size of `tasks.listChanges`, and the option to include tasks. */
export type ChangeListQuery = Query<'listChanges'>;
/** Start position and workspace of `tasks.changes`, and the option to include tasks. */
export type ChangeQuery = Omit<ChangeListQuery, 'limit'>;
/** Page size, offset and cursor of `agents.list`. */
export type AgentQuery = Query<'listAgents'>;
/** Filters, page size, offset and cursor of `runs.list`. */
export type RunQuery = Query<'listRuns'>;
/** Where `runs.stream` ends. */
export type RunStreamQuery = Query<'getRun'>;
/** Filters, page size, offset and cursor of `sessions.list`. */
export type SessionQuery = Query<'listSessions'>;
/** Sort order, page size, offset, cursor and start position of `sessions.listMessages`. */
export type MessageQuery = Query<'listMessages'>;

/**
 * `operationId` of an operation, as in the contract and the server's logs. `getLinkedChart` is left out, because
 * pages load linked charts by their address.
 */
export type OperationId = Exclude<keyof operations, 'getLinkedChart'>;
