import type { Generated, Kysely } from 'kysely';

/** A database, or a transaction on it. */
export type Db = Kysely<Tables>;

/** The rows as the drivers deliver them. Columns with names of the contract hold exactly what goes on the wire. */
export interface Tables {
  tasks: TaskRow;
  comments: CommentRow;
  audit_logs: AuditLogRow;
  idempotency_keys: IdempotencyKeyRow;
}

export interface TaskRow {
  id: string;
  user_id: string;
  workspace_id: string | null;
  title: string;
  description: string | null;
  status: string;
  priority: string;
  assignee_id: string | null;
  assignee_type: string | null;
  assignee_name: string | null;
  due_date: string | null;
  tags: string | null;
  metadata: string | null;
  /** `due_date` as a moment where it is one, for filters and order. */
  due_at: string | null;
  /** `tags` as a list, for the filter. */
  tag_list: string[];
  /** Counts the changes; the ETag. */
  version: Generated<number>;
  created_at: string;
  updated_at: string;
}

export interface CommentRow {
  id: string;
  task_id: string;
  user_id: string;
  body: string;
  author_id: string;
  author_name: string;
  created_at: string;
}

export interface AuditLogRow {
  id: string;
  task_id: string;
  user_id: string;
  /** Order of the entries: given while the task's row is locked, so entries of one task follow its changes. */
  seq: Generated<string>;
  action: string;
  actor_type: string;
  actor_id: string;
  payload: string;
  created_at: string;
}

export interface IdempotencyKeyRow {
  user_id: string;
  key: string;
  request_hash: string;
  reply: string;
  created_at: string;
}
