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
