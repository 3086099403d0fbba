/** The two tables as TypeORM entities. */
import { EntitySchema } from 'typeorm';

const text = { type: 'text' };
const optional = { type: 'text', nullable: true };
const timestamp = { type: 'timestamptz' };

export const Task = new EntitySchema({
  name: 'Task',
  tableName: 'tasks',
  columns: {
    id: { type: 'uuid', primary: true },
    user_id: text,
    workspace_id: optional,
    title: text,
    description: optional,
    status: text,
    priority: text,
    assignee_id: optional,
    assignee_type: optional,
    assignee_name: optional,
    due_date: optional,
    tags: optional,
    metadata: optional,
    due_at: { ...timestamp, nullable: true },
    etag: text,
    created_at: timestamp,
    updated_at: timestamp,
  },
});

export const AuditEntry = new EntitySchema({
  name: 'AuditEntry',
  tableName: 'audit_logs',
  columns: {
    id: { type: 'uuid', primary: true },
    task_id: { type: 'uuid' },
    user_id: text,
    action: text,
    actor_type: text,
    actor_id: text,
    payload: text,
    created_at: timestamp,
  },
});
