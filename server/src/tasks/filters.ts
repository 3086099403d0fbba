import { sql, type RawBuilder } from 'kysely';
import { validationError } from '../contract/problem.ts';
import type { Request } from '../contract/operation.ts';
import { timestampFromText } from './iso-timestamp.ts';
import { searchPattern } from './search-pattern.ts';
import { tagKey } from './tags.ts';

type ListQuery = Request<'listTasks'>['query'];

export type FilterName = Exclude<keyof ListQuery, 'sort' | 'cursor' | 'limit' | 'offset'>;

/** The filters of a list. An empty value means no filter. */
type TaskFilters = Pick<ListQuery, FilterName> & {
  /** How many bytes of titles and descriptions `q` searches, newest tasks first; undefined for no limit. */
  readonly searchBytesMax?: number | undefined;
};

/** The filters of a list and its order. */
export type TaskQuery = TaskFilters & Pick<ListQuery, 'sort'>;

/** The names of the filters in a query. */
export function filterNamesIn(query: TaskFilters): FilterName[] {
  return filterNames.filter((name) => valuesOf(query, name).length > 0);
}

/** The tag, if it is the only filter. */
export function onlyTag(query: TaskFilters): string | undefined {
  const [name, ...others] = filterNamesIn(query);
  const [tag, ...otherTags] = valuesOf(query, 'tag');
  return name === 'tag' && others.length + otherTags.length === 0 ? tag : undefined;
}

/** The condition for the user's tasks that match the query. */
export function conditionsOf(userId: string, query: TaskFilters): RawBuilder<unknown> {
  const filters = columnFilters.flatMap((name) => {
    const texts = valuesOf(query, name);
    return texts.length === 0 ? [] : [conditions[name](texts, name)];
  });
  const others = sql.join([sql`user_id = ${userId}`, ...filters], sql` and `);
  const { q = '', searchBytesMax } = query;
  if (q === '') return others;
  if (searchBytesMax === undefined) return sql`${others} and ${contains(q)}`;
  // A CASE, because Postgres evaluates the parts of a CASE in order, but the parts of an AND in any order.
  const isSearched = sql`(created_at, id) >= (${oldestSearched(others, searchBytesMax)})`;
  return sql`${others} and case when ${isSearched} then ${contains(q)} end`;
}

/** A query for the oldest task to search. This task and all newer ones have at most `bytesMax` bytes of text. */
function oldestSearched(condition: RawBuilder<unknown>, bytesMax: number): RawBuilder<unknown> {
  const bytes = sql`octet_length(title) + coalesce(octet_length(description), 0)`;
  return sql`
    select created_at, id from (
      select created_at, id, sum(${bytes}) over (order by created_at desc, id desc) as bytes
      from tasks where ${condition}
    ) newest
    where bytes <= ${bytesMax} order by created_at, id limit 1`;
}

function valuesOf(query: TaskFilters, name: FilterName): readonly string[] {
  const values = query[name] === undefined ? [] : [query[name]].flat().map(String);
  return values.filter((text) => text !== '');
}

type ColumnFilter = Exclude<FilterName, 'q'>;
type Condition = (texts: readonly string[], name: ColumnFilter) => RawBuilder<unknown>;

const conditions: Record<ColumnFilter, Condition> = {
  status: equals,
  workspace_id: equals,
  priority: equals,
  assignee_id: equals,
  unassigned: ([text]) => (text === 'true' ? sql`assignee_id is null` : sql`assignee_id is not null`),
  assignee_type: equals,
  tag: ([tag = '', ...others]) =>
    others.length === 0
      ? sql`${tagKey(tag)}::bigint = any(tag_keys)`
      : sql`tag_keys && ${[tag, ...others].map(tagKey)}::bigint[]`,
  due_before: dateFilter('due_at <'),
  due_after: dateFilter('due_at >='),
  completed_before: dateFilter('completed_at <'),
  completed_after: dateFilter('completed_at >='),
  updated_since: dateFilter('updated_at >='),
};

/** The condition that a column has one of the texts. The column has the same name as the filter. */
function equals(texts: readonly string[], name: ColumnFilter): RawBuilder<unknown> {
  const column = sql.ref(name);
  // A single text is not sent as an array, because Postgres would plan each execution of a statement with an array.
  return texts.length === 1 ? sql`${column} = ${texts[0]}` : sql`${column} = any(${texts}::text[])`;
}

/** Compares a column with a date. Throws a Problem if the text is not a date. */
function dateFilter(comparison: string): Condition {
  return ([text = ''], name) =>
    sql`${sql.raw(comparison)} ${timestampFromText(text) ?? throwInvalidDate(name)}::timestamptz`;
}

function throwInvalidDate(name: FilterName): never {
  const detail =
    'must be a date such as 2026-12-31 or a date-time such as 2026-12-31T09:30:00Z (in a URL, write the + of an offset as %2B)';
  throw validationError([{ pointer: `/query/${name}`, code: 'malformed', detail }]);
}

// The cast is safe, because these are the keys of the object.
const columnFilters = Object.keys(conditions) as ColumnFilter[];
const filterNames = [...columnFilters, 'q'] as const;

/** The condition that each word is in the title or the description. `ilike` is slower: it tries every position. */
function contains(text: string): RawBuilder<unknown> {
  // Searches a repeated word only once.
  const patterns = new Set(text.split(/\s+/).filter(Boolean).map(searchPattern));
  const words = [...patterns].map((pattern) => sql`(title ~ ${pattern} or description ~ ${pattern})`);
  return words.length === 0 ? sql`true` : sql.join(words, sql` and `);
}
