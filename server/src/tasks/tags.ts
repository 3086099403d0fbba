import { hash } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import { insertRows } from '../db/rows.ts';
import type { NamedStatements } from '../db/write.ts';
import type { TaskRow } from '../db/tables.ts';

/** The tags in a JSON array of strings or in a comma-separated list, without duplicates. */
export function tagsFromText(text: string | null): string[] {
  if (text === null) return [];
  const tags = (jsonStrings(text) ?? text.split(',')).map((tag) => tag.trim()).filter((tag) => tag !== '');
  return [...new Set(tags)];
}

function jsonStrings(text: string): string[] | undefined {
  if (!text.trimStart().startsWith('[')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : undefined;
  } catch {
    return undefined;
  }
}

/** The key of a tag: 64 bits of the SHA-256 of the trimmed tag, because a tag may be longer than an index entry. */
export function tagKey(tag: string): string {
  return String(hash('sha256', tag.trim(), 'buffer').readBigInt64BE());
}

/** The FROM and WHERE clauses of a query for the user's tasks with a tag. */
export function tasksWithTag(userId: string, tag: string): RawBuilder<unknown> {
  return sql`from task_tags where user_id = ${userId} and tag_key = ${tagKey(tag)}::bigint`;
}

type IndexedTask = Pick<TaskRow, 'id' | 'user_id' | 'tags' | 'created_at'>;

/** Inserts the tags of a task; undefined if there are none. */
export function insertTags(
  { id, user_id, created_at }: IndexedTask,
  keys: readonly string[],
): RawBuilder<unknown> | undefined {
  if (keys.length === 0) return undefined;
  return insertRows(
    'task_tags',
    keys.map((tag_key) => ({ user_id, tag_key, created_at, task_id: id })),
  );
}

/** The keys of the tags in a text. */
export function tagKeys(text: string | null): string[] {
  return tagsFromText(text).map(tagKey);
}

/** Updates the index for a changed or deleted task. */
export function changeTags(was: IndexedTask, becomes?: IndexedTask): NamedStatements {
  if (was.tags === becomes?.tags) return {};
  const [before, after] = [new Set(tagKeys(was.tags)), new Set(tagKeys(becomes?.tags ?? null))];
  const removed = [...before.difference(after)];
  const deletion = sql`
    delete from task_tags
    where user_id = ${was.user_id} and tag_key = any(${removed}::bigint[]) and created_at = ${was.created_at}
      and task_id = ${was.id}`;
  return {
    removed_tags: removed.length === 0 ? undefined : deletion,
    added_tags: insertTags(was, [...after.difference(before)]),
  };
}
