import document from '../../generated/openapi.json' with { type: 'json' };
import type { OperationId } from '../../operation.ts';

type Schema = Readonly<Record<string, unknown>>;
type Values = Readonly<Record<string, unknown>>;
type Place = 'path' | 'query' | 'body';

interface Parameter {
  readonly schema: Schema;
  readonly isRequired: boolean;
  readonly place: Place;
}

/**
 * The parameters of an operation as one JSON Schema: those of its path and query and the fields of its body. `defaults`
 * stand in place of the contract's.
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

/** Puts the values of such parameters where the operation has them. Others are left out. */
export function requestFrom(operation: OperationId, values: Values): { [Each in Place]: Values } {
  const parameters = Object.entries(parametersByName(operation));
  const at = (wanted: Place): Values =>
    Object.fromEntries(
      parameters
        .filter(([name, { place }]) => place === wanted && values[name] !== undefined)
        .map(([name]) => [name, values[name]]),
    );
  return { path: at('path'), query: at('query'), body: at('body') };
}

function parametersByName(operation: OperationId): Readonly<Record<string, Parameter>> {
  const { item, details } = operationOf(operation);
  const listed = [...list(item['parameters']), ...list(details['parameters'])].map(resolve);
  const outside = listed
    .filter((parameter) => parameter['in'] === 'path' || parameter['in'] === 'query')
    .map((parameter) => [
      String(parameter['name']),
      {
        schema: readable(record(parameter['schema'])),
        isRequired: parameter['in'] === 'path',
        place: parameter['in'],
      } as Parameter,
    ]);
  const body = readable(bodySchemaOf(details));
  const required = list(body['required']);
  const inside = Object.entries(record(body['properties'])).map(([name, schema]) => [
    name,
    { schema: record(schema), isRequired: required.includes(name), place: 'body' } satisfies Parameter,
  ]);
  return Object.fromEntries([...outside, ...inside]) as Record<string, Parameter>;
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

/** What a model needs of a schema. Patterns are left out: servers that turn schemas into grammars choke on them. */
const kept = ['type', 'enum', 'description', 'items', 'minimum', 'maximum', 'maxLength', 'default'];

function readable(schema: Schema): Schema {
  const whole = merged(resolve(schema));
  const plain = Object.fromEntries(kept.filter((key) => key in whole).map((key) => [key, whole[key]]));
  return {
    ...plain,
    ...('items' in whole ? { items: readable(record(whole['items'])) } : {}),
    ...('properties' in whole ? { properties: readableProperties(record(whole['properties'])) } : {}),
    ...('required' in whole ? { required: whole['required'] } : {}),
  };
}

function readableProperties(properties: Schema): Schema {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, readable(record(schema))]),
  );
}

/** A schema with the parts of its `allOf` in one. */
function merged(schema: Schema): Schema {
  return list(schema['allOf'])
    .map((part) => merged(resolve(record(part))))
    .reduce(
      (whole, part) => ({
        ...whole,
        ...part,
        properties: { ...record(whole['properties']), ...record(part['properties']) },
      }),
      schema,
    );
}

function resolve(value: unknown): Schema {
  const schema = record(value);
  const reference = schema['$ref'];
  if (typeof reference !== 'string') return schema;
  const keys = reference.slice('#/'.length).split('/');
  return resolve(keys.reduce<unknown>((each, key) => record(each)[key], document));
}

function record(value: unknown): Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
