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

/** The keys of the tags in a text. */
export function tagKeys(text: string | null): string[] {
  return tagsFromText(text).map(tagKey);
}

/** The statements that update `task_tags` when the tags of a task change. Null means no tags, or no task. */
export function changeTags(
  { id, user_id, created_at }: Pick<TaskRow, 'id' | 'user_id' | 'created_at'>,
  before: string | null,
  after: string | null,
): NamedStatements {
  if (before === after) return {};
  const [old, current] = [new Set(tagKeys(before)), new Set(tagKeys(after))];
  const removed = [...old.difference(current)];
  const added = [...current.difference(old)].map((tag_key) => ({
    user_id,
    tag_key,
    created_at,
    task_id: id,
  }));
  const deletion = sql`
    delete from task_tags
    where user_id = ${user_id} and tag_key = any(${removed}::bigint[]) and created_at = ${created_at}
      and task_id = ${id}`;
  return {
    removed_tags: removed.length === 0 ? undefined : deletion,
    added_tags: added.length === 0 ? undefined : insertRows('task_tags', added),
  };
}
