import { isObject } from '../lib/json.ts';
import type { RequestParts } from './operation.ts';
import type { ContractOperation, Schema } from './schema.ts';
import { queryParameters } from './query.ts';

/** Removes from a value the fields that a schema does not name. */
type Drop = (value: unknown) => void;

/** Removes unknown fields before validation and hashing, because they have no effect. */
export function dropUnknown(operation: ContractOperation, parts: RequestParts): void {
  let drop = drops.get(operation);
  if (drop === undefined) drops.set(operation, (drop = dropOf(partsSchema(operation))));
  drop(parts);
}

/** Shortens all lists in a JSON value. */
export function truncateLists(value: unknown, lengthMax: number): void {
  if (Array.isArray(value)) {
    value.length = Math.min(value.length, lengthMax);
    for (const entry of value) truncateLists(entry, lengthMax);
  } else if (isObject(value)) {
    for (const name in value) truncateLists(value[name], lengthMax);
  }
}

const drops = new WeakMap<ContractOperation, Drop>();

/** Unknown query parameters stay, because validation refuses them. */
function partsSchema(operation: ContractOperation): Schema {
  const query = { properties: Object.fromEntries(queryParameters(operation)), additionalProperties: true };
  const body = operation.requestBody?.content['application/json'].schema ?? {};
  return { properties: { query, body } };
}

function dropOf(schema: Schema): Drop {
  const { items = {}, additionalProperties } = schema;
  const fields = fieldsOf(schema);
  const hasFields = Object.keys(fields).length > 0;
  const dropFromField = new Map(Object.entries(fields).map(([name, field]) => [name, dropOf(field)]));
  const dropFromItem = hasParts(items) ? dropOf(items) : undefined;
  return (value) => {
    if (Array.isArray(value)) {
      if (dropFromItem !== undefined) value.forEach(dropFromItem);
    } else if (hasFields && isObject(value)) {
      for (const name in value) {
        const drop = dropFromField.get(name);
        if (drop !== undefined) drop(value[name]);
        else if (additionalProperties !== true) Reflect.deleteProperty(value, name);
      }
    }
  };
}

function fieldsOf({ properties = {}, allOf = [], anyOf = [] }: Schema): Readonly<Record<string, Schema>> {
  if (anyOf.some(hasParts)) throw new Error('Fields of alternatives in a request would be dropped.');
  return Object.assign({}, properties, ...allOf.map(fieldsOf)) as Record<string, Schema>;
}

function hasParts(schema: Schema): boolean {
  return schema.items !== undefined || Object.keys(fieldsOf(schema)).length > 0;
}
