import type { ErrorObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { OpenAPIValidator, type Document, type OpenAPIRouter } from 'openapi-backend';
import type { InvalidField } from './problem.ts';
import type { RequestParts } from './operation.ts';
import { visibleKeyword } from '../lib/text.ts';
import type { ContractOperation } from './schema.ts';
import { truncateLists } from './drop-unknown.ts';
import { queryParameters } from './query.ts';
import { invalidFields } from './invalid-fields.ts';

// No coercion, because `parseQuery` has typed the parameters, and Ajv would accept 0x10 as an integer.
const validation = {
  strict: false,
  verbose: true,
  useDefaults: true,
  strictNumbers: true,
  coerceTypes: false,
};

/** The schemas of an operation are compiled when they are first needed: compiling all of them makes a start slower. */
interface Validators {
  /** Stops at the first error, because collecting errors takes long, and most requests have none (performance.md). */
  readonly first: OpenAPIValidator;
  /** Finds all errors. */
  readonly all: OpenAPIValidator;
}

// Validators keep nothing of a request, so all servers of a process share them. A process that runs tests starts a
// hundred servers, and compiling would take a fifth of its time.
let shared: Validators | undefined;

export function validatorsOf(definition: Document, router: OpenAPIRouter): Validators {
  return (shared ??= createValidators(definition, router));
}

function createValidators(definition: Document, router: OpenAPIRouter): Validators {
  const validator = (allErrors: boolean): OpenAPIValidator => {
    // One Ajv for all operations, because an Ajv costs more than the schemas that it compiles.
    const ajv = addFormats.default(new Ajv2020({ ...validation, allErrors }));
    ajv.addKeyword(visibleKeyword);
    return new OpenAPIValidator({
      definition,
      router,
      lazyCompileValidators: true,
      // eslint-disable-next-line @typescript-eslint/no-unsafe-class-instance-assignment -- OpenAPI 3.1 needs Ajv's core for JSON Schema 2020; it has the same interface.
      customizeAjv: () => ajv,
      // The validator creates an Ajv before it calls `customizeAjv`. Without the meta-schema, this one is cheap.
      ajvOpts: { meta: false },
    });
  };
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
    unknownSentence([...queryParameters(operation).keys()]),
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
