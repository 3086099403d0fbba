import fc from 'fast-check';
import type { OperationId } from '../../server/src/contract/operation.ts';
import type { Input } from '../support/client.ts';
import { allOperations } from '../support/contract.ts';
import { valueOf, type Schema } from './values.ts';

type Operation = (typeof allOperations)[number];

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: Schema;
}

/** The operations of the contract by id, with resolved schemas. */
export const operations: ReadonlyMap<OperationId, Operation> = new Map(
  allOperations.map((operation) => [operation.operationId, operation]),
);

/** A request, and its body before serialization. */
interface FuzzedRequest extends Input {
  readonly id: string | undefined;
  readonly query: string;
  readonly body: string | undefined;
  readonly headers: Record<string, string>;
  readonly value: unknown;
}

/** Generates valid, nearly valid and arbitrary requests of an operation. Some use ids of existing resources. */
export function requestsOf(operation: Operation, ids: readonly string[]): fc.Arbitrary<FuzzedRequest> {
  const value = operation.requestBody === undefined ? fc.constant(undefined) : bodyOf(bodySchema(operation));
  return fc
    .record({ id: idOf(operation, ids), query: queryOf(operation), headers: headersOf(operation), value })
    .map((request) => ({
      ...request,
      body: request.value === undefined ? undefined : JSON.stringify(request.value),
    }));
}

export function bodySchema({ requestBody }: Operation): Schema {
  return requestBody?.content?.['application/json']?.schema ?? {};
}

function bodyOf(schema: Schema): fc.Arbitrary<unknown> {
  const valid = valueOf(schema);
  const names = Object.keys(schema.properties ?? schema.allOf?.[0]?.properties ?? {});
  const nearlyValid = fc
    .tuple(valid, fc.constantFrom(...names), fc.jsonValue({ maxDepth: 2 }))
    .map(([body, name, value]) => ({ ...(body as object), [name]: value }));
  return fc.oneof(
    { weight: 5, arbitrary: valid },
    { weight: 4, arbitrary: nearlyValid },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  );
}

function idOf(operation: Operation, ids: readonly string[]): fc.Arbitrary<string | undefined> {
  if (parametersIn(operation, 'path').length === 0) return fc.constant(undefined);
  // Segments of one or two dots would change the path, and a lone surrogate cannot be URL-encoded.
  const arbitrary = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
    .filter((id) => !/^\.{1,2}$/.test(id));
  return fc
    .oneof({ weight: 3, arbitrary: fc.constantFrom(...ids) }, arbitrary, fc.uuid())
    .map(encodeURIComponent);
}

// Keeps the request line and headers below 16 KiB. Above, they are 431: see `contract/one-engine/bad-requests`.
const queryLengthMax = 12_000;

function queryOf(operation: Operation): fc.Arbitrary<string> {
  const pairs = parametersIn(operation, 'query').map(({ name, schema }) => {
    const arbitrary = fc.oneof(valueOf(schema), fc.string({ unit: 'grapheme', maxLength: 10 }), fc.integer());
    return arbitrary.map((value) => [value].flat().map((each): [string, string] => [name, String(each)]));
  });
  const known = fc
    .subarray(pairs, { maxLength: Math.min(3, pairs.length) })
    .chain((chosen) => fc.tuple(...chosen));
  const unknown = fc
    .constantFrom('_', '_cache', 'color', '__proto__')
    .map((name) => [[[name, '1'] satisfies [string, string]]]);
  return fc
    .oneof({ weight: 9, arbitrary: known }, { weight: 1, arbitrary: unknown })
    .map((chosen) => new URLSearchParams(chosen.flat()).toString())
    .filter((query) => query.length <= queryLengthMax);
}

function headersOf(operation: Operation): fc.Arbitrary<Record<string, string>> {
  const pairs = parametersIn(operation, 'header').map(({ name }) =>
    fc.constantFrom(...(samples[name] ?? ['x'])).map((value): [string, string] => [name, value]),
  );
  return fc
    .subarray(pairs)
    .chain((chosen) => fc.tuple(...chosen))
    .map((chosen) => Object.fromEntries(chosen));
}

const samples: Readonly<Record<string, readonly string[]>> = {
  'Idempotency-Key': ['a', 'b', 'c'],
  'If-Match': ['*', '"1"', '"2", "3"', 'W/"1"', 'nonsense'],
  'If-None-Match': ['*', '"1"', 'W/"1"', 'nonsense'],
  Prefer: ['respond-async', 'wait=1', 'wait=x', 'nonsense'],
};

function parametersIn({ parameters = [] }: Operation, location: string): Parameter[] {
  // References are resolved.
  return (parameters as readonly Parameter[]).filter((parameter) => parameter.in === location);
}
