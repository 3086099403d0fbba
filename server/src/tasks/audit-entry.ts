import { sql, type RawBuilder } from 'kysely';
import type { Principal, Schemas } from '../operation.ts';

/** The actor that changes a task, and the id of the audit entry for it. */
export interface AuditContext {
  readonly entryId: string;
  readonly actorType: Schemas['ActorType'];
  readonly actorId: string;
  /** What the payload contains in addition to the change. */
  readonly details?: { readonly on_behalf_of: string; readonly session_id: string };
}

interface AuditEntry {
  /** The name of a CTE with the changed rows, which have the columns of a task. */
  readonly of: string;
  readonly action: Schemas['AuditLogEntry']['action'];
  /** An expression that may use the columns of those rows. */
  readonly payload: RawBuilder<unknown>;
  /** An expression that may use the columns of those rows. */
  readonly at: RawBuilder<unknown>;
  readonly auditContext: AuditContext;
}

export function auditContextOf({ id, agent }: Principal, entryId: string): AuditContext {
  if (agent === undefined) return { entryId, actorType: 'human', actorId: id };
  const details = { on_behalf_of: id, session_id: agent.sessionId };
  return { entryId, actorType: 'agent', actorId: agent.id, details };
}

/** The CTE that writes the audit entry: one statement makes the change and its entry atomic. */
export function auditEntry({ of, action, payload, at, auditContext }: AuditEntry): RawBuilder<unknown> {
  const { details } = auditContext;
  const text =
    details === undefined
      ? sql`(${payload})::text`
      : sql`((${payload})::jsonb || ${JSON.stringify(details)}::jsonb)::text`;
  return sql`
    insert into audit_logs (id, task_id, user_id, action, actor_type, actor_id, payload, created_at)
    select ${auditContext.entryId}::uuid, id, user_id, ${action}::text, ${auditContext.actorType}::text, ${auditContext.actorId}::text,
      ${text}, ${at}
    from ${sql.table(of)}`;
}
