import type { Tables } from './tables.ts';

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
