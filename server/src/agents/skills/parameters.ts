import document from '../../generated/openapi.json' with { type: 'json' };
import type { OperationId } from '../../operation.ts';

type Schema = Readonly<Record<string, unknown>>;
type Values = Readonly<Record<string, unknown>>;
type Location = 'path' | 'query' | 'body';

interface Parameter {
  readonly schema: Schema;
  readonly isRequired: boolean;
  readonly location: Location;
}

/**
 * The parameters of an operation as one JSON Schema: those of its path and query and the fields of its body. `defaults`
 * override the contract's.
 */
export function parametersOf(operation: OperationId, defaults: Values = {}): object {
  const parameters = Object.entries(parametersByName(operation));
  return {
    type: 'object',
    properties: Object.fromEntries(
      parameters.map(([name, { schema }]) => [
        name,
        name in defaults ? { ...schema, default: defaults[name] } : schema,
      ]),
    ),
    required: parameters.filter(([, { isRequired }]) => isRequired).map(([name]) => name),
  };
}

/** Distributes the values of such parameters to path, query and body. Unknown values are dropped. */
export function requestFrom(operation: OperationId, values: Values): { [Each in Location]: Values } {
  const parameters = Object.entries(parametersByName(operation));
  const at = (wanted: Location): Values =>
    Object.fromEntries(
      parameters
        .filter(([name, { location }]) => location === wanted && values[name] !== undefined)
        .map(([name]) => [name, values[name]]),
    );
  return { path: at('path'), query: at('query'), body: at('body') };
}

function parametersByName(operation: OperationId): Readonly<Record<string, Parameter>> {
  const { item, details } = operationOf(operation);
  const listed = [...list(item['parameters']), ...list(details['parameters'])].map(resolveReference);
  const pathAndQuery = listed.flatMap(({ in: location, name, schema }): [string, Parameter][] => {
    if (location !== 'path' && location !== 'query') return [];
    // A cursor comes from the Link header, which tools do not return. They page by `offset`.
    if (name === 'cursor') return [];
    return [[String(name), { schema: simplify(record(schema)), isRequired: location === 'path', location }]];
  });
  const body = simplify(bodySchemaOf(details));
  const required = list(body['required']);
  const bodyFields = Object.entries(record(body['properties'])).map(([name, schema]): [string, Parameter] => [
    name,
    { schema: record(schema), isRequired: required.includes(name), location: 'body' },
  ]);
  return Object.fromEntries([...pathAndQuery, ...bodyFields]);
}

function operationOf(operation: OperationId): { item: Schema; details: Schema } {
  for (const item of Object.values(document.paths).map(record)) {
    const details = Object.values(item)
      .map(record)
      .find((each) => each['operationId'] === operation);
    if (details !== undefined) return { item, details };
  }
  throw new Error(`The contract has no operation ${operation}.`);
}

function bodySchemaOf(details: Schema): Schema {
  const content = record(record(details['requestBody'])['content']);
  return record(record(content['application/json'])['schema']);
}

/** The keywords that a model needs. Patterns are left out, because servers that compile schemas to grammars reject them. */
const keptKeywords = ['type', 'enum', 'description', 'items', 'minimum', 'maximum', 'maxLength', 'default'];

function simplify(schema: Schema): Schema {
  const merged = mergeAllOf(resolveReference(schema));
  const kept = Object.fromEntries(
    keptKeywords.filter((key) => key in merged).map((key) => [key, merged[key]]),
  );
  return {
    ...kept,
    ...('items' in merged ? { items: simplify(record(merged['items'])) } : {}),
    ...('properties' in merged ? { properties: simplifyProperties(record(merged['properties'])) } : {}),
    ...('required' in merged ? { required: merged['required'] } : {}),
  };
}

function simplifyProperties(properties: Schema): Schema {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, simplify(record(schema))]),
  );
}

/** Merges the parts of a schema's `allOf` into it. */
function mergeAllOf(schema: Schema): Schema {
  return list(schema['allOf'])
    .map((part) => mergeAllOf(resolveReference(record(part))))
    .reduce(
      (merged, part) => ({
        ...merged,
        ...part,
        properties: { ...record(merged['properties']), ...record(part['properties']) },
      }),
      schema,
    );
}

function resolveReference(value: unknown): Schema {
  const schema = record(value);
  const reference = schema['$ref'];
  if (typeof reference !== 'string') return schema;
  const keys = reference.slice('#/'.length).split('/');
  return resolveReference(keys.reduce<unknown>((each, key) => record(each)[key], document));
}

function record(value: unknown): Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
