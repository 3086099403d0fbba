import { sql, type Kysely } from 'kysely';

/**
 * The tags of tasks in the order of lists, so that a list by tag reads only its page, and counts without reading tasks.
 * A tag may be longer than an index entry, so its key is the first 64 bits of its SHA-256.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table task_tags (
      user_id text not null,
      tag_key bigint not null,
      created_at timestamptz(3) not null,
      task_id uuid not null,
      primary key (user_id, tag_key, created_at, task_id)
    )`.execute(db);
  await sql`alter table tasks add column tag_keys bigint[] not null default '{}'`.execute(db);
  await sql`
    update tasks set tag_keys = array(
      select distinct ('x' || encode(substring(sha256(convert_to(tag, 'UTF8')), 1, 8), 'hex'))::bit(64)::bigint
      from unnest(tag_list) tag
    )
    where tag_list <> '{}'`.execute(db);
  await sql`
    insert into task_tags (user_id, tag_key, created_at, task_id)
    select user_id, unnest(tag_keys), created_at, id from tasks`.execute(db);
  await sql`alter table tasks drop column tag_list`.execute(db);
}
