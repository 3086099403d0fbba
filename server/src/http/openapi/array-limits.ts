import type { ContractOperation, Schema } from './contract.ts';
import { queryParameters } from './query.ts';

type Limit = (value: unknown) => void;

/**
 * Shortens arrays of a query or a body that are too long to one entry more than the contract allows.
 * Validation then refuses the array for its length, without an error for each of half a million entries.
 */
export function limitArrays(
  operation: ContractOperation,
  parts: { readonly query?: unknown; readonly body: unknown },
): void {
  limitOfParts(operation)(parts);
}

const limits = new WeakMap<ContractOperation, Limit>();

function limitOfParts(operation: ContractOperation): Limit {
  const known = limits.get(operation);
  if (known !== undefined) return known;
  const query = { properties: Object.fromEntries(queryParameters(operation)) };
  const body = operation.requestBody?.content['application/json'].schema ?? {};
  const limit = limitOf({ properties: { query, body } }) ?? (() => undefined);
  limits.set(operation, limit);
  return limit;
}

/** Undefined for a schema without bounded arrays, so that their values are not visited. */
function limitOf({ maxItems, items, properties = {}, allOf = [] }: Schema): Limit | undefined {
  const ofItem = items && limitOf(items);
  const ofProperties = Object.entries(properties).flatMap(([name, schema]) => {
    const limit = limitOf(schema);
    return limit === undefined ? [] : [{ name, limit }];
  });
  const ofParts = allOf.flatMap((part) => limitOf(part) ?? []);
  if (maxItems === undefined && ofItem === undefined && ofProperties.length + ofParts.length === 0)
    return undefined;
  return (value) => {
    if (Array.isArray(value)) {
      if (maxItems !== undefined && value.length > maxItems) value.length = maxItems + 1;
      if (ofItem !== undefined) value.forEach(ofItem);
    } else if (typeof value === 'object' && value !== null) {
      for (const { name, limit } of ofProperties) limit(Object.getOwnPropertyDescriptor(value, name)?.value);
      for (const limit of ofParts) limit(value);
    }
  };
}
