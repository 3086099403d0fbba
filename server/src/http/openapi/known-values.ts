import type { ContractOperation, Schema } from './contract.ts';
import { queryParameters } from './query.ts';

interface RequestParts {
  readonly query?: unknown;
  readonly body: unknown;
}

/** Removes what a value has besides its schema; arrays keep at most `itemsMax` entries. */
type Prune = (value: unknown, itemsMax: number) => void;

/**
 * Removes the fields that the contract does not name, which have no effect, so that nothing validates, hashes or keeps them.
 * An array that is too long keeps one entry more than the contract allows, by which validation refuses it, and at most
 * `itemsMax`.
 */
export function keepKnownValues(
  operation: ContractOperation,
  parts: RequestParts,
  itemsMax: number = Number.MAX_SAFE_INTEGER,
): void {
  let prune = prunes.get(operation);
  if (prune === undefined) prunes.set(operation, (prune = pruneOf(partsSchema(operation))));
  prune(parts, itemsMax);
}

const prunes = new WeakMap<ContractOperation, Prune>();

/** Unknown query parameters are kept, because validation refuses them. */
function partsSchema(operation: ContractOperation): Schema {
  const query = { properties: Object.fromEntries(queryParameters(operation)), additionalProperties: true };
  const body = operation.requestBody?.content['application/json'].schema ?? {};
  return { properties: { query, body } };
}

function pruneOf(schema: Schema): Prune {
  const { maxItems = Number.MAX_SAFE_INTEGER, items = {} } = schema;
  const fields = fieldsOf(schema);
  const hasFields = Object.keys(fields).length > 0;
  const pruneField = new Map(Object.entries(fields).map(([name, field]) => [name, pruneOf(field)]));
  const pruneItem = hasParts(items) ? pruneOf(items) : undefined;
  return (value, itemsMax) => {
    if (Array.isArray(value)) {
      value.length = Math.min(value.length, maxItems + 1, itemsMax);
      if (pruneItem !== undefined) for (const item of value) pruneItem(item, itemsMax);
    } else if (hasFields && isObject(value)) {
      for (const name in value) {
        const prune = pruneField.get(name);
        if (prune !== undefined) prune(value[name], itemsMax);
        else if (schema.additionalProperties !== true) Reflect.deleteProperty(value, name);
      }
    }
  };
}

function fieldsOf({ properties = {}, allOf = [] }: Schema): Readonly<Record<string, Schema>> {
  return Object.assign({}, properties, ...allOf.map(fieldsOf)) as Record<string, Schema>;
}

function hasParts(schema: Schema): boolean {
  return schema.items !== undefined || Object.keys(fieldsOf(schema)).length > 0;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
