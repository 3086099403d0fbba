import type { OpenAPI3 } from 'openapi-typescript';

/** The names of the schemas that only requests have. */
export function inputSchemas({ paths = {}, components = {} }: OpenAPI3): Set<string> {
  const schemas: Readonly<Record<string, unknown>> = components.schemas ?? {};
  const inRequests = reachable(valuesOf(paths, 'requestBody'), schemas);
  const inResponses = reachable([valuesOf(paths, 'responses'), components.responses], schemas);
  return inRequests.difference(inResponses);
}

function reachable(value: unknown, schemas: Readonly<Record<string, unknown>>): Set<string> {
  const found = new Set<string>();
  const follow = (each: unknown): void => {
    for (const reference of valuesOf(each, '$ref')) {
      const name = /^#\/components\/schemas\/(.*)$/.exec(String(reference))?.[1];
      if (name === undefined || found.has(name)) continue;
      found.add(name);
      follow(schemas[name]);
    }
  };
  follow(value);
  return found;
}

/** All values of a key, at any depth. */
function valuesOf(value: unknown, key: string): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]: [string, unknown]) => [
    ...(name === key ? [each] : []),
    ...valuesOf(each, key),
  ]);
}
