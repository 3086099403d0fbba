import type { ContractOperation, Parameter } from './contract.ts';

/**
 * The query string as the contract types it: integers as numbers, repeatable parameters as lists, defaults filled
 * in. Values of another type stay as they are, so that validation reports them. Names that start with `_` are ignored.
 */
export function parseQuery(queryString: string, operation: ContractOperation): Record<string, unknown> {
  const parameters = queryParameters(operation);
  // Without a prototype, so that a parameter called `__proto__` is one like any other.
  const query = Object.assign(Object.create(null) as Record<string, unknown>, queryDefaults(operation));
  if (queryString === '') return query;
  for (const [name, values] of valuesByName(queryString)) {
    if (!name.startsWith('_')) query[name] = typed(values, parameters.get(name));
  }
  return query;
}

/** `URLSearchParams.getAll` reads all pairs, so calling it for each of many names would take quadratic time. */
function valuesByName(queryString: string): ReadonlyMap<string, readonly string[]> {
  const byName = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(queryString)) {
    const values = byName.get(name);
    if (values === undefined) byName.set(name, [value]);
    else values.push(value);
  }
  return byName;
}

/** The values of the query parameters that have a default. */
export function queryDefaults(operation: ContractOperation): Readonly<Record<string, unknown>> {
  return inQuery(operation).defaults;
}

/** The query parameters of an operation by name. */
export function queryParameters(operation: ContractOperation): QueryParameters['schemas'] {
  return inQuery(operation).schemas;
}

interface QueryParameters {
  readonly schemas: ReadonlyMap<string, Parameter['schema']>;
  readonly defaults: Readonly<Record<string, unknown>>;
}

function inQuery(operation: ContractOperation): QueryParameters {
  const known = queries.get(operation);
  if (known !== undefined) return known;
  const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
  const schemas = new Map(parameters.map(({ name, schema }) => [name, schema]));
  const withDefault = [...schemas].filter(([, schema]) => schema.default !== undefined);
  const defaults = Object.fromEntries(withDefault.map(([name, schema]) => [name, schema.default]));
  const query = { schemas, defaults };
  queries.set(operation, query);
  return query;
}

const queries = new WeakMap<ContractOperation, QueryParameters>();

function typed(values: readonly string[], schema: Parameter['schema'] | undefined): unknown {
  if (schema?.type === 'array') return values;
  const [value] = values;
  if (values.length !== 1 || value === undefined) return values;
  return schema?.type === 'integer' && /^-?\d+$/.test(value) ? Number(value) : value;
}
