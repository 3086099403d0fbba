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

// `parseQuery` has typed the parameters; Ajv's coercion would let values such as 0x10 through as integers.
const validation = {
  strict: false,
  verbose: true,
  useDefaults: true,
  strictNumbers: true,
  coerceTypes: false,
};

export interface Validators {
  /** Stops at the first error: 10,000 invalid points take 0.1 ms instead of 19. */
  readonly first: OpenAPIValidator;
  /** Finds all errors, and compiles the schemas of an operation when one of its requests is refused for the first time. */
  readonly all: OpenAPIValidator;
}

// Validators keep nothing of a request, so the servers of one process share them: a process that runs tests starts a
// hundred servers, and compiling took a fifth of its time.
let compiled: Validators | undefined;

export function validatorsOf(definition: Document, router: OpenAPIRouter): Validators {
  return (compiled ??= compileValidators(definition, router));
}

function compileValidators(definition: Document, router: OpenAPIRouter): Validators {
  const validator = (allErrors: boolean): OpenAPIValidator => {
    // All operations share one Ajv, because each Ajv costs more than the schemas that it compiles.
    const ajv = addFormats.default(new Ajv2020({ ...validation, allErrors }));
    ajv.addKeyword(visibleKeyword);
    return new OpenAPIValidator({
      definition,
      router,
      lazyCompileValidators: true,
      // eslint-disable-next-line @typescript-eslint/no-unsafe-class-instance-assignment -- OpenAPI 3.1 needs Ajv's core for JSON Schema 2020; it has the same interface.
      customizeAjv: () => ajv,
      // The validator creates an Ajv before it calls `customizeAjv`; without the meta-schema that costs little.
      ajvOpts: { meta: false },
    });
  };
  const first = validator(false);
  first.preCompileRequestValidators();
  return { first, all: validator(true) };
}

// Later entries usually repeat the errors of the first entries, and each error costs a microsecond.
const examinedEntriesMax = 300;

/** The errors of a refused request in the first entries of each list. */
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
