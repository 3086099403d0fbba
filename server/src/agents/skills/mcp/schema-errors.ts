import { Ajv, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { invalidFields } from '../../../contract/invalid-fields.ts';
import type { InvalidField } from '../../../errors.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

const options = {
  strict: false,
  allErrors: true,
  logger: false,
  validateSchema: false,
  validateFormats: false,
  // Here, every text matches every pattern. The server checks its patterns itself, and a pattern that backtracks for
  // long would stop this process.
  code: { regExp: Object.assign(() => ({ test: () => true }), { code: '() => ({ test: () => true })' }) },
} as const;

// Compiled schemas are kept, because compiling a large schema takes longer than the rest of a decision.
const compiled = new WeakMap<JsonSchema, ValidateFunction | 'invalid'>();

/** The errors of arguments by the schema of a tool. An invalid schema reports none: only its server can judge. */
export function schemaErrors(schema: JsonSchema, values: JsonSchema): readonly InvalidField[] {
  let validate = compiled.get(schema);
  if (validate === undefined) compiled.set(schema, (validate = compile(schema)));
  if (validate === 'invalid' || validate(values)) return [];
  return invalidFields(validate.errors ?? [], 'is not an argument of this tool');
}

function compile(schema: JsonSchema): ValidateFunction | 'invalid' {
  // Ajv would validate such a schema asynchronously. Below the root, Ajv itself refuses the keyword.
  if ('$async' in schema) return 'invalid';
  const { $schema: dialect } = schema;
  const isOld = typeof dialect === 'string' && dialect.includes('/draft-0');
  try {
    const ajv = isOld ? new Ajv(options) : new Ajv2020(options);
    return ajv.removeKeyword('patternProperties').compile(schema);
  } catch {
    return 'invalid';
  }
}
