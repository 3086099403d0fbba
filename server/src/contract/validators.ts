import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ErrorObject } from 'ajv';
import addFormats from 'ajv-formats';
import { OpenAPIValidator, ValidationContext, type Document } from 'openapi-backend';
import type { InvalidField } from './problem.ts';
import type { RequestParts } from './operation.ts';
import { isObject } from '../lib/json.ts';
import { visibleKeyword } from '../lib/text.ts';
import type { ContractOperation } from './schema.ts';
import { invalidFields } from './invalid-fields.ts';

const validation = {
  strict: false,
  verbose: true,
  useDefaults: true,
  strictNumbers: true,
  // No coercion, because `receive` has typed the parameters, and Ajv would accept 0x10 and Infinity as integers.
  coerceTypes: false,
  // `generate` has checked the schemas. Compiling the meta-schema takes 20 to 30 ms.
  meta: false,
  validateSchema: false,
} as const;

// Later entries usually have the same errors as the first ones, and each error costs a microsecond.
const examinedEntriesMax = 300;

/** Finds the errors of a request. Removes the fields of its body that the schema excludes, and fills in defaults. */
type FindErrors = (operation: ContractOperation, parts: RequestParts) => InvalidField[];

export function createErrorFinder(definition: Document): FindErrors {
  // Stops at the first error, because collecting errors takes long, and most requests have none (performance.md).
  const first = createValidator(definition, false);
  const all = createValidator(definition, true);
  return (operation, parts) => {
    const errors = errorsBy(first, operation, parts);
    if (errors.length === 0) return [];
    // Of each list, only the first entries are searched for further errors.
    truncateLists([parts.query, parts.body], examinedEntriesMax);
    return invalidFields([...errors, ...errorsBy(all, operation, parts)], unknownSentence(operation));
  };
}

/** Compiles the schemas of an operation when they are first needed: compiling all of them makes a start slower. */
function createValidator(definition: Document, allErrors: boolean): OpenAPIValidator {
  return new OpenAPIValidator({
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

function unknownSentence({ parameters = [] }: ContractOperation): string {
  const queryNames = parameters.flatMap((each) => (each.in === 'query' ? [each.name] : []));
  return queryNames.length === 0
    ? 'is not known; this operation has no query parameters'
    : `is not known; the query parameters are ${queryNames.join(', ')}`;
}

/** Shortens all lists in a JSON value. */
function truncateLists(value: unknown, lengthMax: number): void {
  if (Array.isArray(value)) value.length = Math.min(value.length, lengthMax);
  if (isObject(value)) for (const part of Object.values(value)) truncateLists(part, lengthMax);
}
