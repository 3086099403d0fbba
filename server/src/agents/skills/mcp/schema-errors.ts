import { Ajv, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { invalidFields } from '../../../contract/invalid-fields.ts';
import type { InvalidField } from '../../../errors.ts';
import { expandedSizeOf, sizeOf } from './schema-size.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

const options = {
  strict: false,
  allErrors: true,
  logger: false,
  validateSchema: false,
  validateFormats: false,
  // Every text matches every pattern here. A slow pattern of an MCP server would block this process, and the server
  // checks its patterns itself.
  code: { regExp: Object.assign(() => ({ test: () => true }), { code: '() => ({ test: () => true })' }) },
} as const;

// The first compares each entry of a list with all others, and patterns are not evaluated here.
const unboundedKeywords = ['uniqueItems', 'patternProperties'] as const;

// The product of the sizes of a schema and of arguments. It bounds the time of a validation, and its errors.
const stepsMax = 100_000;

// A cache, because compiling a large schema takes longer than everything else in a request with decisions.
const compiled = new WeakMap<JsonSchema, ValidateFunction | 'invalid'>();

/**
 * Validates arguments by the schema of a tool. There are no errors if the schema is invalid, or if validating could take
 * long: then only the server of the tool judges.
 */
export function schemaErrors(schema: JsonSchema, values: JsonSchema): readonly InvalidField[] {
  if (expandedSizeOf(schema) * sizeOf(values) > stepsMax) return [];
  let validate = compiled.get(schema);
  if (validate === undefined)
    compiled.set(schema, (validate = unlessThrown(() => compile(schema)) ?? 'invalid'));
  if (validate === 'invalid' || unlessThrown(() => validate(values)) !== false) return [];
  return invalidFields(validate.errors ?? [], 'is not an argument of this tool');
}

function compile(schema: JsonSchema): ValidateFunction | undefined {
  // With `$async`, Ajv would validate asynchronously. Ajv refuses the keyword everywhere except at the root.
  if ('$async' in schema) return undefined;
  const { $schema: dialect } = schema;
  const isOld = typeof dialect === 'string' && dialect.includes('/draft-0');
  const ajv = isOld ? new Ajv(options) : new Ajv2020(options);
  for (const keyword of unboundedKeywords) ajv.removeKeyword(keyword);
  return ajv.compile(schema);
}

function unlessThrown<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
