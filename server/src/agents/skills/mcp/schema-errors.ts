import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { invalidFields } from '../../../contract/invalid-fields.ts';
import type { InvalidField } from '../../../contract/problem.ts';
import { countValues, isObject, targetOf, type Json } from '../../../lib/json.ts';

const options = {
  strict: false,
  allErrors: true,
  // Without this, an argument named `constructor` is always present.
  ownProperties: true,
  logger: false,
  validateSchema: false,
  validateFormats: false,
  // Every text matches every pattern, because a slow pattern of an MCP server would block this process. The server
  // checks its patterns itself.
  code: { regExp: Object.assign(() => ({ test: () => true }), { code: '() => ({ test: () => true })' }) },
} as const;

// The limit for schema size times arguments size. It bounds the time of a validation and the number of its errors.
const stepsMax = 100_000;

// Schemas are cached, because compiling a large one takes longer than the rest of a request with decisions.
const compiled = new WeakMap<Json, ValidateFunction>();

/**
 * Validates arguments against a tool's schema. Returns no errors if the schema is invalid or if validating could take
 * long. Only the tool's server then checks the arguments.
 */
export function schemaErrors(schema: Json, values: Json): readonly InvalidField[] {
  if (expandedSizeOf(schema) * countValues(values) > stepsMax) return [];
  try {
    const validate = compiled.get(schema) ?? compile(schema);
    compiled.set(schema, validate);
    return validate(values) ? [] : invalidFields(validate.errors ?? [], 'is not an argument of this tool');
  } catch {
    return [];
  }
}

function compile(schema: Json): ValidateFunction {
  const ajv = new Ajv2020(options);
  // `uniqueItems` takes quadratic time, and `patternProperties` would match every name.
  for (const keyword of ['uniqueItems', 'patternProperties']) ajv.removeKeyword(keyword);
  return ajv.compile(schema);
}

const referencesMax = 1000;
const levelsMax = 64;
const bytesMax = 64 * 1024;
// Ajv compiles a schema of this size in 0.2 s.
const valuesMax = 5000;

/**
 * Counts the values of a schema as if each reference were replaced by its target. Infinite if the schema exceeds a
 * limit, has a keyword of `uncounted`, or has a reference that cannot be resolved.
 */
export function expandedSizeOf(root: unknown): number {
  if (JSON.stringify(root).length > bytesMax) return Infinity;
  let references = 0;
  let values = 0;
  const visit = (value: unknown, level: number): boolean => {
    if (!isObject(value)) return true;
    if (level > levelsMax) return false;
    return Object.entries(value).every(([name, child]) => {
      values += 1;
      if (values > valuesMax || uncounted.has(name)) return false;
      if (name !== '$ref' || typeof child !== 'string') return visit(child, level + 1);
      references += 1;
      const target = targetOf(child, root);
      return references <= referencesMax && target !== undefined && visit(target, level + 1);
    });
  };
  return visit(root, 1) ? values : Infinity;
}

/**
 * Keywords that refer to a part of a schema without a JSON pointer, and `$async`, which makes Ajv validate
 * asynchronously.
 */
const uncounted: ReadonlySet<string> = new Set(
  '$id $anchor $dynamicRef $dynamicAnchor $recursiveRef $recursiveAnchor $async'.split(' '),
);
