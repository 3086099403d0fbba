import { fieldErrorsMax, validationError, type InvalidField } from '../../errors.ts';
import type { OperationId } from '../../operation.ts';
import { unstorableTexts } from '../../storable-text.ts';
import type { Contract, ContractOperation, Schema, Step } from './contract.ts';

/** The `findErrors` of each operation. Their body has no common type, because the operation is known only at run time. */
type FindErrors = Readonly<
  Record<OperationId, { readonly findErrors?: (body: never) => readonly InvalidField[] }>
>;

/** Refuses a request for what its schema does not allow, and for what only the operation can find in the rest of it. */
export function refuseInvalid({ errorsOf }: Contract, operations: FindErrors): Step {
  return ({ operation, validation }, _ctx, request) => {
    if (operation === undefined) throw validationError([]);
    const refused = errorsOf(operation, request, validation.errors ?? []);
    const body: unknown = request.body;
    const names = new Set(refused.map(topLevelName));
    const { findErrors } = operations[operation.operationId];
    if (findErrors === undefined || !isObject(body)) throw validationError(refused);
    // Each field of the rest is valid, and the refused ones have their defaults.
    const defaults = defaultsOf(operation, names);
    const found = findErrors({ ...body, ...defaults } as never);
    // A field may be required because a refused one is missing from the rest.
    const lacksFields = Object.values(defaults).includes(undefined);
    const further = found.filter(
      (field) => !names.has(topLevelName(field)) && !(lacksFields && field.code === 'required'),
    );
    throw validationError([...refused, ...further]);
  };
}

/** Undefined for a parameter or for the body as a whole. */
function topLevelName({ pointer }: InvalidField): string | undefined {
  return /^\/(?!(?:query|header|path)\/)([^/]*)/.exec(pointer)?.[1];
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function defaultsOf(
  { requestBody }: ContractOperation,
  names: ReadonlySet<string | undefined>,
): Record<string, unknown> {
  const properties: Schema['properties'] = requestBody?.content['application/json'].schema.properties ?? {};
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => names.has(name))
      .map(([name, schema]) => [name, schema.default]),
  );
}

// JSON can only escape these characters: a body with them unescaped is not JSON, or not UTF-8.
const mayBeUnstorable = /\\u(?:0{4}|d[89a-f])|%00/i;

/** Refuses text that Postgres cannot store, wherever it is in the body or the query. */
export function refuseUnstorable(value: unknown, raw: string): void {
  if (mayBeUnstorable.test(raw)) assertStorable(value);
}

/** Throws for text that Postgres cannot store. */
export function assertStorable(value: unknown): void {
  const pointers = unstorableTexts(value, fieldErrorsMax);
  if (pointers.length === 0) return;
  const detail = 'must not contain NUL characters or lone surrogates';
  throw validationError(
    pointers.map((pointer) => ({ pointer, code: 'unsupported_character', detail }) as const),
  );
}
