import { sql, type Insertable, type RawBuilder } from 'kysely';
import { insertRows } from '../db/insert.ts';
import type { TaskRow, Tables } from '../db/tables.ts';
import { newId } from '../lib/ids.ts';
import type { Caller, Schemas } from '../contract/operation.ts';
import { schemaFields } from '../contract/schema.ts';

/**
 * The position of the next entry in the log of a task. `seq` is part of the log's primary key, so only one of two
 * writers that have read the same position succeeds. Therefore every entry was planned from a state that includes all
 * earlier entries.
 */
export interface NextEntry {
  /** The number of the last entry plus one. */
  readonly seq: string | number;
  /**
   * Lower bounds for the times of the entry: `created_at` of the last entry, and its `recorded_us` + 1. Null if the log
   * is empty.
   */
  readonly earliest: string | null;
  readonly earliest_us: string | number | null;
}

export interface NewEntry {
  /** The task after the change. */
  readonly task: Pick<TaskRow, 'id' | 'user_id' | 'workspace_id' | 'etag'>;
  /** The workspace that the task leaves with the change. */
  readonly leftWorkspaceId?: string | null;
  readonly action: Schemas['AuditLogEntry']['action'];
  readonly payload: object;
  readonly at: string;
  readonly caller: Caller;
  /** Undefined for the first entry of a task. */
  readonly next?: NextEntry;
}

/** The columns of an entry whose values the server computes. */
export const entryColumns = [
  ...schemaFields('AuditLogEntry'),
  ...(['user_id', 'workspace_id', 'left_workspace_id', 'etag'] as const),
];

export function entryRow(
  entry: NewEntry,
): Pick<Insertable<Tables['audit_logs']>, (typeof entryColumns)[number]> {
  const { task, leftWorkspaceId = null, action, payload, at, caller, next } = entry;
  const earliest = next?.earliest ?? at;
  return {
    id: newId(),
    task_id: task.id,
    user_id: task.user_id,
    action,
    actor_type: caller.agent === undefined ? 'human' : 'agent',
    actor_id: (caller.agent ?? caller).id,
    payload: JSON.stringify({ ...payload, ...detailsOf(caller) }),
    created_at: at > earliest ? at : earliest,
    workspace_id: task.workspace_id,
    left_workspace_id: leftWorkspaceId,
    etag: action === 'delete' ? null : task.etag,
  };
}

/** Fields that the payload also has if an agent or an MCP client made the change for the user. */
function detailsOf({ id, agent, mcpClient }: Caller): object | undefined {
  if (agent === undefined) return mcpClient && { via: 'mcp', client: mcpClient.name };
  return {
    on_behalf_of: id,
    session_id: agent.sessionId,
    approved_by: agent.approvedBy,
    arguments_edited: agent.argumentsEdited === true || undefined,
  };
}

/**
 * The time of an entry, in microseconds since 1970. It is read after the first statement of a write has locked or
 * inserted the task: the transaction then has an id, so `findWatermark` counts it as in progress.
 */
export const recordedUs = '(extract(epoch from clock_timestamp()) * 1000000)::bigint';

/** Appends an entry to the log of a task. */
export function insertEntry(entry: NewEntry): RawBuilder<unknown> {
  const { seq = sql`default`, earliest_us: earliestUs = null } = entry.next ?? {};
  const time = sql`greatest(${sql.raw(recordedUs)}, ${earliestUs}::bigint)`;
  return insertRows('audit_logs', [{ ...entryRow(entry), seq: sql`${seq}`, recorded_us: time }]);
}
