import type { ColumnType, Generated, Kysely } from 'kysely';
import type { components } from '../generated/contract.ts';

type Schemas = components['schemas'];
type Task = Schemas['Task'];
type Comment = Schemas['Comment'];
type AuditLogEntry = Schemas['AuditLogEntry'];

/** A database, or a transaction on it. */
export type Db = Kysely<Tables>;

/** The largest value of an integer column. */
export const integerMax = 2_147_483_647;

/** The rows as the drivers return them. Columns that are also in the contract have the value that clients receive. */
export interface Tables {
  tasks: TaskRow;
  task_counts: TaskCountRow;
  task_tags: TaskTagRow;
  comments: CommentRow;
  audit_logs: AuditLogRow;
  idempotency_keys: IdempotencyKeyRow;
  agents: AgentRow;
  sessions: SessionRow;
  runs: RunRow;
  messages: MessageRow;
  session_turns: SessionTurnRow;
}

export interface TaskRow extends Task {
  /** `due_date` as a timestamp, for filters and order; null if it cannot be parsed. */
  due_at: string | null;
  priority_rank: number;
  /** The keys of the tags (`tagKey`), for filters. */
  tag_keys: string[];
}

/** Counts the tasks by user, workspace and status. */
export interface TaskCountRow {
  user_id: string;
  /** Empty for tasks without a workspace. */
  workspace_id: string;
  status: string;
  bucket: number;
  count: ColumnType<string, number, never>;
}

/** A tag of a task. The columns of the key have the order of lists by tag. */
interface TaskTagRow {
  user_id: string;
  tag_key: string;
  created_at: string;
  task_id: string;
}

interface CommentRow extends Comment {
  user_id: string;
}

interface AuditLogRow extends AuditLogEntry {
  user_id: string;
  /**
   * Orders the entries of a task. The first entry takes its number from a sequence; each further entry is one higher.
   */
  seq: Generated<string>;
  /** The workspace of the task after the change. */
  workspace_id: string | null;
  /** The workspace that the task left with the change. */
  left_workspace_id: string | null;
  /** The ETag of the task after the change; null after its deletion. */
  etag: string | null;
  /** The time by the database's clock, in microseconds since 1970. Orders the entries of all tasks. */
  recorded_us: Generated<string>;
}

interface IdempotencyKeyRow {
  user_id: string;
  key: string;
  request_hash: string;
  reply: string;
  created_at: string;
}

/** The row without `created_at`, which the database sets, because its clock decides when a key expires. */
export type NewIdempotencyKey = Omit<IdempotencyKeyRow, 'created_at'>;

export interface AgentRow extends Omit<Schemas['Agent'], 'model_options' | 'status' | 'warnings'> {
  user_id: string;
  model_options: ColumnType<Schemas['ModelOptions'], string, string>;
  /** When the agent was deleted. The row stays, because sessions and unfinished runs refer to it. */
  archived_at: string | null;
}

export interface SessionRow extends Omit<Schemas['Session'], 'approved_tools' | 'run' | 'status' | 'usage'> {
  /** The tools that the user has approved for the rest of the session. */
  approved_tools: ColumnType<ToolIdentities, never, string>;
}

type JsonOfRun = 'error' | 'incomplete_details' | 'required_action';

export interface RunRow extends Omit<Schemas['Run'], JsonOfRun | 'truncated' | 'usage'> {
  user_id: string;
  /** Orders the runs. It is assigned while the caller's runs are locked. */
  seq: Generated<string>;
  /** Data for the runtime, as JSON. */
  context: ColumnType<Record<string, unknown>, string, never>;
  /** For the log: the id of the request that started the run or last decided about its calls. */
  request_id: string | null;
  error: ColumnType<Schemas['Run']['error'], string | null, string | null>;
  incomplete_details: ColumnType<Schemas['Run']['incomplete_details'], string | null, string | null>;
  /** The tool calls that wait for decisions. */
  required_action: ColumnType<Schemas['Run']['required_action'], string | null, string | null>;
  /** The tools of the waiting calls, as they were when the user was asked. */
  asked_tools: ColumnType<ToolIdentities | null, string | null, never>;
  decisions: ColumnType<ToolCallDecisions | null, string | null, never>;
  /** The last tool call that began to take effect outside the database. It must not be repeated. */
  begun_call_id: string | null;
  /** The id of the message that the model is writing. */
  preview_id: string | null;
  /** The text that the model has written so far, at most a second old. */
  preview: string | null;
  /** Why the last request to the model server failed, while the run waits for the model server. */
  waiting: ColumnType<StoredWaiting | null, string | null, string | null>;
  input_tokens: number | null;
  output_tokens: number | null;
  /**
   * Counts how often a worker has leased the run. It is the fencing token: a worker with a lower number has lost the
   * lease.
   */
  attempt: Generated<number>;
  /** The attempt after which the run last waited for decisions, its model server or `runs retry`; 0 if it never did. */
  waited_after_attempt: Generated<number>;
  /** How long workers had executed the run when it last waited for decisions. */
  elapsed_ms: Generated<number>;
  /** When a worker first leased the run, or first leased it after decisions, `runs resume` or `runs retry`. */
  started_at: string | null;
}

/** Decisions about the tool calls of a run, by call id. */
export type ToolCallDecisions = Readonly<Record<string, StoredDecision>>;

export interface StoredDecision extends Pick<Schemas['ToolCallDecision'], 'approve' | 'scope'> {
  readonly arguments?: Schemas['ToolCallDecision']['arguments'] | undefined;
  /** Null if nobody decided in time. */
  readonly decided_by: string | null;
  /** Absent if an earlier version of the server recorded the decision. */
  readonly decided_at?: string;
  /** The identity of the tool that the user was asked about. */
  readonly tool: string | undefined;
}

/** A pause of a run before the next request to its model server. */
export interface StoredWaiting extends Pick<Schemas['RunWaiting'], 'reason' | 'retry_after_s'> {
  /** The sentence for the user if the run reaches its time limit. */
  readonly message: string;
  /** The number of consecutive failed requests. */
  readonly failures: number;
  /** When the pause ends, by the clock of the database; absent if `runs retry` has ended it. */
  readonly until?: string;
}

/** The identities of tools by name. An approval holds only while the identity stays the same. */
export type ToolIdentities = Readonly<Record<string, string>>;

/** Data that some model servers require in the next step. */
export interface ProviderData {
  /** The model's thoughts before its calls (DeepSeek, Kimi). */
  readonly reasoning: string | null;
  /** The server's signature of each call (Gemini). */
  readonly signatures: readonly (string | null)[];
}

export interface MessageRow extends Omit<
  Schemas['Message'],
  'attachments' | 'partial' | 'tool_calls' | 'truncated'
> {
  user_id: string;
  seq: number;
  partial: Generated<boolean>;
  tool_calls: ColumnType<Schemas['Message']['tool_calls'], string | null, never>;
  attachments: ColumnType<Schemas['Message']['attachments'], string | null, never>;
  /** Data that the model server requires in later steps of the run. Clients do not see it. */
  provider_data: ColumnType<ProviderData | null, string | null, never>;
  /** Why the model's answer was cut off, which ends the run; null for a complete answer. */
  incomplete_reason: Schemas['IncompleteDetails']['reason'] | null;
}

/** The key of a turn. `agents/runs/turns` has the other columns, in SQL. On Citus, this table is on the coordinator. */
interface SessionTurnRow {
  user_id: string;
  session_id: string;
}

/**
 * Every table with the columns of its primary key after `user_id`. A table comes after the tables that it refers to.
 * `tsc` reports a missing table.
 */
export const userTables = {
  tasks: ['id'],
  task_tags: ['tag_key', 'created_at', 'task_id'],
  task_counts: ['workspace_id', 'status', 'bucket'],
  comments: ['task_id', 'created_at', 'id'],
  audit_logs: ['task_id', 'seq'],
  idempotency_keys: ['key'],
  agents: ['id'],
  sessions: ['id'],
  runs: ['id'],
  messages: ['session_id', 'seq'],
  session_turns: ['session_id'],
} as const satisfies { readonly [Name in keyof Tables]: readonly (keyof Tables[Name])[] };

export type UserTable = keyof typeof userTables;

export const userTableNames = Object.keys(userTables) as readonly UserTable[];
