import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ErrorObject } from 'ajv';
import addFormats from 'ajv-formats';
import { OpenAPIValidator, ValidationContext, type Document } from 'openapi-backend';
import type { InvalidField } from './problem.ts';
import type { RequestParts } from './operation.ts';
import { isObject } from '../lib/json.ts';
import { visibleKeyword } from '../lib/text.ts';
import { queryParameters, type ContractOperation } from './schema.ts';
import { invalidFields } from './invalid-fields.ts';

const validation = {
  strict: false,
  verbose: true,
  useDefaults: true,
  strictNumbers: true,
  // No coercion, because `parseQuery` has typed the parameters, and Ajv would accept 0x10 as an integer.
  coerceTypes: false,
  // `generate` has checked the schemas. Compiling the meta-schema takes 20 to 30 ms.
  meta: false,
  validateSchema: false,
} as const;

/** The schemas of an operation are compiled when they are first needed: compiling all of them makes a start slower. */
interface Validators {
  /** Stops at the first error, because collecting errors takes long, and most requests have none (performance.md). */
  readonly first: OpenAPIValidator;
  /** Finds all errors. */
  readonly all: OpenAPIValidator;
}

/** The validators of all operations. They remove the fields of bodies that the schemas exclude. */
export function createValidators(definition: Document): Validators {
  const validator = (allErrors: boolean): OpenAPIValidator =>
    new OpenAPIValidator({
      definition,
      lazyCompileValidators: true,
      ajvOpts: validation,
      customizeAjv: (_ajv, _options, context) => {
        // Unknown query parameters are refused.
        const removeAdditional = context === ValidationContext.RequestBody;
        const ajv = new Ajv2020({ ...validation, allErrors, removeAdditional });
        // eslint-disable-next-line @typescript-eslint/no-unsafe-class-instance-assignment -- OpenAPI 3.1 needs Ajv's core for JSON Schema 2020; it has the same interface.
        return addFormats.default(ajv.addKeyword(visibleKeyword));
      },
    });
  return { first: validator(false), all: validator(true) };
}

// Later entries usually have the same errors as the first ones, and each error costs a microsecond.
const examinedEntriesMax = 300;

/** The errors of a request. Of each list, only the first entries are searched for further errors. */
export function errorsOf(
  { first, all }: Validators,
  operation: ContractOperation,
  parts: RequestParts,
): InvalidField[] {
  const errors = errorsBy(first, operation, parts);
  if (errors.length === 0) return [];
  truncateLists([parts.query, parts.body], examinedEntriesMax);
  return invalidFields(
    [...errors, ...errorsBy(all, operation, parts)],
    unknownSentence(queryParameters(operation).map(({ name }) => name)),
  );
}

/**
 * The errors that an operation's validators find. `validateRequest` of openapi-backend calls the same validators, but
 * reads the request again with lodash, which takes 10 microseconds.
 */
function errorsBy(
  validator: OpenAPIValidator,
  { operationId }: ContractOperation,
  { path, query, headers, body }: RequestParts,
): ErrorObject[] {
  const validated = { path, query, header: headers, requestBody: body };
  const validators = validator.getRequestValidatorsForOperation(operationId);
  return validators.flatMap((validate) => (validate(validated) ? [] : (validate.errors ?? [])));
}

function unknownSentence(queryNames: readonly string[]): string {
  return queryNames.length === 0
    ? 'is not known; this operation has no query parameters'
    : `is not known; the query parameters are ${queryNames.join(', ')}`;
}

/** Shortens all lists in a JSON value. */
function truncateLists(value: unknown, lengthMax: number): void {
  if (Array.isArray(value)) value.length = Math.min(value.length, lengthMax);
  if (isObject(value)) for (const part of Object.values(value)) truncateLists(part, lengthMax);
}
