import { hash } from 'node:crypto';
import { sql, type Insertable, type RawBuilder } from 'kysely';
import { insertStatement } from '../db/insert.ts';
import type { TaskRow, TaskTagRow } from '../db/tables.ts';
import type { Statement } from '../db/write.ts';
import { tagsFromText } from './tags.ts';

/**
 * The key of a tag in the index: 64 bits of the SHA-256 of the tag without the spaces around it, because a tag may be
 * longer than an index entry.
 */
export function tagKey(tag: string): string {
  return String(hash('sha256', tag.trim(), 'buffer').readBigInt64BE());
}

/** The FROM and WHERE clauses of a query on the index for the user's tasks that have a tag. */
export function tasksWithTag(userId: string, tag: string): RawBuilder<unknown> {
  return sql`from task_tags where user_id = ${userId} and tag_key = ${tagKey(tag)}::bigint`;
}

type IndexedTask = Pick<TaskRow, 'id' | 'user_id' | 'tags' | 'created_at'>;

/** The rows of a task's tags. */
export function tagRows(
  { id, user_id, created_at }: IndexedTask,
  keys: readonly string[],
): Insertable<TaskTagRow>[] {
  return keys.map((tag_key) => ({ user_id, tag_key, created_at, task_id: id }));
}

/** The keys of the tags in a text. */
export function tagKeys(text: string | null): string[] {
  return tagsFromText(text).map(tagKey);
}

/** The statements that bring the index up to date with a task that has changed, or that is deleted. */
export function changeTags(was: IndexedTask, becomes?: IndexedTask): Statement[] {
  if (was.tags === becomes?.tags) return [];
  const [before, after] = [new Set(tagKeys(was.tags)), new Set(tagKeys(becomes?.tags ?? null))];
  const [removed, added] = [before.difference(after), after.difference(before)];
  const statements: Statement[] = [];
  if (removed.size > 0)
    statements.push({ text: deleteTags, values: [was.user_id, was.created_at, was.id, [...removed]] });
  if (added.size > 0) statements.push(insertStatement('task_tags', tagRows(was, [...added])));
  return statements;
}

const deleteTags = `
  delete from task_tags
  where user_id = $1 and tag_key = any($4::bigint[]) and created_at = $2 and task_id = $3`;
