import { WorktableError } from './errors.ts';
import type { PageQuery } from './paginator.ts';

interface PathParameters {
  readonly path: { readonly id: string };
}

/** Parameters of an operation on one resource. */
export function pathParams(id: string): { params: PathParameters } {
  // As a path segment, these values would address a different resource.
  if (id === '' || id === '.' || id === '..') {
    throw new WorktableError(`The id must be a resource id, but it is "${id}".`);
  }
  return { params: { path: { id } } };
}

/** Parameters of an operation on one comment. */
export function commentParams(
  id: string,
  commentId: string,
): { params: { path: { id: string; comment_id: string } } } {
  return {
    params: { path: { ...pathParams(id).params.path, comment_id: pathParams(commentId).params.path.id } },
  };
}

/** Parameters of a list that belongs to one resource. */
export function listParams<Query>(id: string, query: Query): { params: PathParameters & { query: Query } } {
  return { params: { ...pathParams(id).params, query } };
}

/** The parameters of a list that do not select a page. */
export function filtersOf<Query extends PageQuery>(query: Query): Omit<Query, keyof PageQuery> {
  const { limit, offset, cursor, ...filters } = query;
  return filters;
}

/** The `status` parameter. An empty array is an error: it would disable the filter instead of matching nothing. */
export function statusFilter(status: string | readonly string[] | undefined): { status?: string[] } {
  if (status === undefined) return {};
  const statuses = [status].flat();
  if (statuses.length > 0) return { status: statuses };
  throw new WorktableError('status must contain at least one status. Omit it to list tasks of any status.');
}
