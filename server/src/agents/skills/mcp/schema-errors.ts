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
  // Every text matches every pattern here. A slow pattern of an MCP server would block this process, and the server
  // checks its patterns itself.
  code: { regExp: Object.assign(() => ({ test: () => true }), { code: '() => ({ test: () => true })' }) },
} as const;

// A cache, because compiling a large schema takes longer than everything else in a request with decisions.
const compiled = new WeakMap<JsonSchema, ValidateFunction | 'invalid'>();

/**
 * Validates arguments by the schema of a tool. With an invalid schema there are no errors, because only its server can
 * judge.
 */
export function schemaErrors(schema: JsonSchema, values: JsonSchema): readonly InvalidField[] {
  let validate = compiled.get(schema);
  if (validate === undefined) compiled.set(schema, (validate = compile(schema)));
  if (validate === 'invalid' || validate(values)) return [];
  return invalidFields(validate.errors ?? [], 'is not an argument of this tool');
}

function compile(schema: JsonSchema): ValidateFunction | 'invalid' {
  // With `$async`, Ajv would validate asynchronously. Ajv refuses the keyword everywhere except at the root.
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
