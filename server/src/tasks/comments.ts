import { sql } from 'kysely';
import { listPage, readPage } from '../db/page-size-limit.ts';
import type { Db } from '../db/tables.ts';
import type { Principal, Schemas } from '../operation.ts';
import type { Page, PageRequest } from '../paging.ts';
import { auditEntry, type AuditContext } from './audit-entry.ts';
import type { TaskKey } from './find-task.ts';

interface NewComment {
  readonly id: string;
  readonly body: string;
  readonly author: Pick<Principal, 'id' | 'name'>;
  readonly auditContext: AuditContext;
}

type Comment = Schemas['Comment'];

/** Adds a comment and its audit entry. Resolves to undefined when the user has no such task. */
export async function insertComment(
  db: Db,
  task: TaskKey,
  { id, body, author, auditContext }: NewComment,
): Promise<Comment | undefined> {
  // The lock keeps the task from being deleted before the insert, and the audit log in the order of its timestamps.
  const statement = sql<Comment>`
    with locked as materialized (
      select id, user_id from tasks where id = ${task.id} and user_id = ${task.userId} for no key update
    ),
    task as materialized (select *, clock_timestamp() as commented_at from locked),
    comment as (
      insert into comments (id, task_id, user_id, body, author_id, author_name, created_at)
      select ${id}::uuid, id, user_id, ${body}::text, ${author.id}::text, ${author.name}::text, commented_at
      from task
      returning id, task_id, body, author_id, author_name, created_at
    ),
    entry as (
      ${auditEntry({ of: 'task', action: 'comment', payload: sql`${JSON.stringify({ id, body })}`, at: sql`commented_at`, auditContext })}
    )
    select * from comment`;
  const { rows } = await statement.execute(db);
  return rows[0];
}

/** A page of a task's comments, oldest first. */
export async function findComments(db: Db, task: TaskKey, page: PageRequest): Promise<Page<Comment>> {
  const list = {
    entries: sql`select * from comments where task_id = ${task.id} and user_id = ${task.userId}`,
    columns: ['id', 'task_id', 'body', 'author_id', 'author_name', 'created_at'],
    texts: ['body'],
    order: sql`created_at, id`,
  };
  return readPage(db, sql<Comment & { found: number }>`${listPage(list, page)}`, page.limit);
}
