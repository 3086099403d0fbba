import type { Insertable } from 'kysely';
import type { AuditLogRow } from '../db/tables.ts';
import type { Statement } from '../db/write.ts';
import { newId } from '../ids.ts';
import type { Principal, Schemas } from '../operation.ts';

/** The actor that changes a task, and the id of the audit entry for it. */
export interface AuditContext {
  readonly entryId: string;
  readonly actorType: Schemas['ActorType'];
  readonly actorId: string;
  /** What the payload contains in addition to the change. */
  readonly details?: Readonly<Record<string, string | undefined>>;
}

export function auditContextOf({ id, agent, mcpClient }: Principal): AuditContext {
  const entryId = newId();
  if (agent === undefined) {
    const human = { entryId, actorType: 'human', actorId: id } as const;
    return mcpClient === undefined ? human : { ...human, details: { via: 'mcp', client: mcpClient.name } };
  }
  const details = { on_behalf_of: id, session_id: agent.sessionId, approved_by: agent.approvedBy };
  return { entryId, actorType: 'agent', actorId: agent.id, details };
}

interface NewEntry {
  readonly task: { readonly id: string; readonly user_id: string };
  /** The workspace that the change moves the task out of. */
  readonly leftWorkspaceId?: string | null;
  readonly action: Schemas['AuditLogEntry']['action'];
  readonly payload: object;
  readonly at: string;
  readonly auditContext: AuditContext;
}

type EntryColumns = Omit<Insertable<AuditLogRow>, 'workspace_id'>;

/** The columns of an entry except the workspace of its task. */
function entryColumns({ task, leftWorkspaceId, action, payload, at, auditContext }: NewEntry): EntryColumns {
  const { entryId, actorType, actorId, details } = auditContext;
  return {
    id: entryId,
    task_id: task.id,
    user_id: task.user_id,
    action,
    actor_type: actorType,
    actor_id: actorId,
    payload: JSON.stringify({ ...payload, ...details }),
    created_at: at,
    left_workspace_id: leftWorkspaceId ?? null,
  };
}

/** The first entry of a task. */
export function firstEntry(
  entry: NewEntry & { readonly task: { readonly workspace_id: string | null } },
): Insertable<AuditLogRow> {
  return { ...entryColumns(entry), workspace_id: entry.task.workspace_id };
}

/** The statement that appends an entry to the log of an existing task. The task's row must be locked. */
export function insertEntry(entry: NewEntry): Statement {
  return { text: insertAfterLast, values: Object.values(entryColumns(entry)) };
}

// The clocks of servers differ, so `greatest` keeps the times of a log from decreasing. On a Citus cluster the coordinator
// evaluates the CTE, so that one clock orders the entries of all nodes.
const insertAfterLast = `
  with clock as materialized (select (extract(epoch from clock_timestamp()) * 1000000)::bigint as us)
  insert into audit_logs
    (id, task_id, user_id, action, actor_type, actor_id, payload, created_at, left_workspace_id, workspace_id, recorded_us)
  select $1::uuid, task.id, task.user_id, $4::text, $5::text, $6::text, $7::text,
    greatest($8::timestamptz, last.created_at), $9::text, task.workspace_id,
    greatest((select us from clock), last.recorded_us + 1)
  from tasks task left join lateral (
    select created_at, recorded_us from audit_logs
    where user_id = $3 and task_id = $2
    order by seq desc limit 1
  ) last on true
  where task.user_id = $3 and task.id = $2`;
