import type { ErrorObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { OpenAPIValidator, type Document, type OpenAPIRouter, type Request } from 'openapi-backend';
import type { InvalidField } from '../errors.ts';
import { visibleKeyword } from '../visible-text.ts';
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
  /** Stops at the first error: 10,000 invalid points take 0.1 ms instead of 19. */
  readonly first: OpenAPIValidator;
  /** Finds all errors. */
  readonly all: OpenAPIValidator;
}

// Validators keep nothing of a request, so all servers of a process share them. A process that runs tests starts a
// hundred servers, and compiling took a fifth of its time.
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

/** Finds the errors of a refused request, in the first entries of each list. */
export function errorsOf(
  { all }: Validators,
  operation: ContractOperation,
  request: Request,
  first: readonly ErrorObject[],
): InvalidField[] {
  truncateLists([request.query, request.body], examinedEntriesMax);
  const { errors } = all.validateRequest(request, operation.operationId);
  return invalidFields(
    [...first, ...(errors ?? [])],
    unknownSentence([...queryParameters(operation).keys()]),
  );
}

function unknownSentence(queryNames: readonly string[]): string {
  return queryNames.length === 0
    ? 'is not known; this operation has no query parameters'
    : `is not known; the query parameters are ${queryNames.join(', ')}`;
}
