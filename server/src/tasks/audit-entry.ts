import { sql, type RawBuilder } from 'kysely';
import type { Principal, Schemas } from '../operation.ts';

/** Who changed a task, and the id of the entry that says so. */
export interface AuditContext {
  readonly entryId: string;
  readonly actorType: Schemas['ActorType'];
  readonly actorId: string;
  /** What the payload says beside the change. */
  readonly details?: { readonly on_behalf_of: string; readonly session_id: string };
}

interface AuditEntry {
  /** The rows that were changed: a part of the same statement with the columns of a task. */
  readonly of: string;
  readonly action: Schemas['AuditLogEntry']['action'];
  /** Both may use the columns of those rows. */
  readonly payload: RawBuilder<unknown>;
  readonly at: RawBuilder<unknown>;
  readonly stamp: AuditContext;
}

export function auditContextOf({ id, agent }: Principal, entryId: string): AuditContext {
  if (agent === undefined) return { entryId, actorType: 'human', actorId: id };
  const circumstances = { on_behalf_of: id, session_id: agent.sessionId };
  return { entryId, actorType: 'agent', actorId: agent.id, details: circumstances };
}

/** The part of a changing statement that writes the audit entry, so that neither is ever there without the other. */
export function auditEntry({ of, action, payload, at, stamp }: AuditEntry): RawBuilder<unknown> {
  const { details: circumstances } = stamp;
  const text =
    circumstances === undefined
      ? sql`(${payload})::text`
      : sql`((${payload})::jsonb || ${JSON.stringify(circumstances)}::jsonb)::text`;
  return sql`
    insert into audit_logs (id, task_id, user_id, action, actor_type, actor_id, payload, created_at)
    select ${stamp.entryId}::uuid, id, user_id, ${action}::text, ${stamp.actorType}::text, ${stamp.actorId}::text,
      ${text}, ${at}
    from ${sql.table(of)}`;
}
