import type { InfiniteData, QueryClient } from '@tanstack/query-core';
import { areFieldFilters, matchesFields } from './field-filters.ts';
import type { Page } from './paginator.ts';
import type { Task, TaskQuery } from './resources.ts';

/** A task before and after a change: undefined before its creation and after its deletion. */
interface TaskStep {
  readonly id: string;
  readonly from: Task | undefined;
  readonly to: Task | undefined;
}

type QueryKey = readonly unknown[];
type ListData = Page<Task> | InfiniteData<Page<Task>>;

/**
 * Shows a change of a task in all cached queries. Returns the keys of the lists that the task may have entered, but
 * whose filters or beginning only the server knows.
 */
export function showTask(client: QueryClient, key: readonly string[], step: TaskStep): QueryKey[] {
  const { id, to } = step;
  client.setQueriesData<Task>({ queryKey: [...key, 'get', { args: [id] }] }, (task) => task && to);
  const undecided: QueryKey[] = [];
  for (const [queryKey, data] of client.getQueriesData<ListData>({ queryKey: [...key, 'list'] })) {
    if (data === undefined) continue;
    // The key of a list ends with the arguments of the list.
    const { args } = queryKey.at(-1) as { readonly args: readonly [TaskQuery?] };
    const place = placeIn(args[0] ?? {}, step);
    const pages = place('pages' in data ? data.pages : [data]);
    if (pages === undefined) undecided.push(queryKey);
    else client.setQueryData(queryKey, 'pages' in data ? { ...data, pages } : pages[0]);
  }
  return undecided;
}

/**
 * Returns a function that replaces, removes or adds the task in a list, according to the filters of the list. It adds
 * the task only if it supports all filters, and only to a list that starts at its beginning; otherwise it returns
 * undefined.
 */
function placeIn(
  { sort, limit, offset = 0, cursor, ...filters }: TaskQuery,
  { id, from, to }: TaskStep,
): (pages: readonly Page<Task>[]) => Page<Task>[] | undefined {
  const placed = to !== undefined && matchesFields(to, filters) ? [to] : [];
  const enters = placed.length > 0 && !(from && matchesFields(from, filters));
  const isDecided = areFieldFilters(filters) && offset === 0 && cursor === undefined && limit !== 0;
  return (pages) => {
    const isListed = pages.some(({ items }) => items.some((task) => task.id === id));
    if (!isListed && enters && !isDecided) return undefined;
    const added = isListed ? placed.length - 1 : Number(enters);
    return pages.map((page, index) => {
      const items = page.items.flatMap((task) => (task.id === id ? placed : [task]));
      const count = page.count === undefined ? undefined : page.count + added;
      return { ...page, count, items: !isListed && enters && index === 0 ? [...placed, ...items] : items };
    });
  };
}
