import { sql, type RawBuilder } from 'kysely';
import type { Call } from '../operation.ts';
import type { PageRequest } from '../paging.ts';
import { tagKey } from './tag-index.ts';

/** The query of a list, after `withTimestamps`, and its page. */
export type TaskQuery = Omit<Call<'listTasks'>['query'], 'cursor'> & PageRequest;

export type FilterName = Exclude<keyof TaskQuery, 'sort' | keyof PageRequest>;

/** The filters in a query. An empty value counts as absent. */
export function givenFilters(query: TaskQuery): FilterName[] {
  return filterNames.filter((name) => valuesOf(query, name).length > 0);
}

/** The tag that the tasks must have, if that is the only filter. */
export function onlyTag(query: TaskQuery): string | undefined {
  const [name, ...others] = givenFilters(query);
  return name === 'tag' && others.length === 0 ? query.tag : undefined;
}

/** The condition for the user's tasks that match the query. */
export function conditionsOf(userId: string, query: TaskQuery): RawBuilder<unknown> {
  const filters = filterNames.flatMap((name) => {
    const texts = valuesOf(query, name);
    const [text] = texts;
    return text === undefined ? [] : [conditions[name](text, texts)];
  });
  return sql.join([sql`user_id = ${userId}`, ...filters], sql` and `);
}

function valuesOf(query: TaskQuery, name: FilterName): string[] {
  return [query[name] ?? []].flat().filter((text) => text !== '');
}

const conditions: Record<FilterName, (text: string, texts: readonly string[]) => RawBuilder<unknown>> = {
  status: (_, texts) => sql`status = any(${texts}::text[])`,
  workspace_id: (text) => sql`workspace_id = ${text}`,
  priority: (text) => sql`priority = ${text}`,
  assignee_id: (text) => sql`assignee_id = ${text}`,
  assignee_type: (text) => sql`assignee_type = ${text}`,
  tag: (text) => sql`${tagKey(text)}::bigint = any(tag_keys)`,
  due_before: (text) => sql`due_at < ${text}::timestamptz`,
  due_after: (text) => sql`due_at >= ${text}::timestamptz`,
  updated_since: (text) => sql`updated_at >= ${text}::timestamptz`,
  q: (text) => sql`(title ilike ${containsPattern(text)} or description ilike ${containsPattern(text)})`,
};

// The keys of an exhaustive record are the names of the contract's filters.
const filterNames = Object.keys(conditions) as FilterName[];

function containsPattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}
