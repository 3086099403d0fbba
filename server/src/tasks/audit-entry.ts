import { sql, type RawBuilder } from 'kysely';
import type { TaskRow } from '../db/tables.ts';
import { newId } from '../ids.ts';
import type { Principal, Schemas } from '../operation.ts';

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

interface NewEntry {
  /** The task after the change. */
  readonly task: Pick<TaskRow, 'id' | 'user_id' | 'workspace_id' | 'etag'>;
  /** The workspace that the task leaves with the change. */
  readonly leftWorkspaceId?: string | null;
  readonly action: Schemas['AuditLogEntry']['action'];
  readonly payload: object;
  readonly at: string;
  readonly caller: Principal;
  /** Undefined for the first entry of a task. */
  readonly next?: NextEntry;
}

/** Appends an entry to the log of a task. */
export function insertEntry(entry: NewEntry): RawBuilder<unknown> {
  const { task, leftWorkspaceId = null, action, payload, at, caller, next } = entry;
  const { actorType, actorId, details } = actorOf(caller);
  const earliest = next?.earliest ?? at;
  // Read the clock after the first statement of the write has locked the task: the transaction then has an id, so
  // `findWatermark` counts it as in progress.
  return sql`
    insert into audit_logs (
      id, task_id, user_id, action, actor_type, actor_id, payload,
      created_at, workspace_id, left_workspace_id, etag, seq, recorded_us
    )
    overriding system value values (
      ${newId()}, ${task.id}, ${task.user_id}, ${action}, ${actorType}, ${actorId},
      ${JSON.stringify({ ...payload, ...details })},
      ${at > earliest ? at : earliest}, ${task.workspace_id}, ${leftWorkspaceId},
      ${action === 'delete' ? null : task.etag},
      ${next === undefined ? sql`default` : next.seq},
      greatest((extract(epoch from clock_timestamp()) * 1000000)::bigint, ${next?.earliest_us ?? null}::bigint)
    )`;
}

interface Actor {
  readonly actorType: Schemas['ActorType'];
  readonly actorId: string;
  /** Fields that are added to the payload. */
  readonly details?: Readonly<Record<string, string | true | undefined>>;
}

function actorOf({ id, agent, mcpClient }: Principal): Actor {
  if (agent === undefined) {
    const human = { actorType: 'human', actorId: id } as const;
    return mcpClient === undefined ? human : { ...human, details: { via: 'mcp', client: mcpClient.name } };
  }
  const details = {
    on_behalf_of: id,
    session_id: agent.sessionId,
    approved_by: agent.approvedBy,
    arguments_edited: agent.argumentsEdited === true ? (true as const) : undefined,
  };
  return { actorType: 'agent', actorId: agent.id, details };
}
