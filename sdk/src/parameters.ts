import { WorktableError } from './errors.ts';

interface PathParameters {
  readonly path: { readonly id: string };
}

/** The parameters of a request for one resource. */
export function at(id: string): { params: PathParameters } {
  // As a segment of the path, these would address something else.
  if (id === '' || id === '.' || id === '..') {
    throw new WorktableError(`The id must be that of a resource, but it is "${id}".`);
  }
  return { params: { path: { id } } };
}

/** The parameters of a request for a list of one resource. */
export function listAt<Query>(id: string, query: Query): { params: PathParameters & { query: Query } } {
  return { params: { ...at(id).params, query } };
}

/** The statuses that a list is asked for. An empty array would be no filter, though it reads as if nothing matched. */
export function statusFilter(statuses: string[] | undefined): { status?: string[] } {
  if (statuses === undefined) return {};
  if (statuses.length > 0) return { status: statuses };
  throw new WorktableError('status must name at least one status. Leave it out for tasks of any.');
}
