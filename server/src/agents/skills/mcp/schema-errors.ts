import { Ajv, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { invalidFields } from '../../../contract/invalid-fields.ts';
import type { InvalidField } from '../../../contract/problem.ts';
import { isObject } from '../../../lib/json.ts';
import { namesOf } from '../../../lib/json-pointer.ts';

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

// `uniqueItems` compares each entry of a list with all others. Patterns are not evaluated here.
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
  const validate = compiled.get(schema) ?? unlessThrown(() => compile(schema)) ?? 'invalid';
  compiled.set(schema, validate);
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

const referencesMax = 1000;
const levelsMax = 64;
const bytesMax = 64 * 1024;
// Ajv compiles a schema of this size in 0.2 s.
const valuesMax = 5000;

/**
 * Counts the values of a schema as if each reference were replaced by its target. Infinite for a schema above a limit,
 * and for references other than JSON pointers, whose targets are not known here.
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
      if (values > valuesMax || foreignReferences.has(name)) return false;
      if (name !== '$ref' || typeof child !== 'string') return visit(child, level + 1);
      references += 1;
      const target = targetOf(child, root);
      return references <= referencesMax && target !== undefined && visit(target, level + 1);
    });
  };
  return visit(root, 1) ? values : Infinity;
}

/** Keywords that refer to, or change, targets of references in other ways than by a JSON pointer. */
const foreignReferences: ReadonlySet<string> = new Set([
  '$id',
  '$anchor',
  '$dynamicRef',
  '$dynamicAnchor',
  '$recursiveRef',
  '$recursiveAnchor',
]);

/** The target of a JSON pointer in a fragment (RFC 6901, section 6). */
function targetOf(reference: string, root: unknown): unknown {
  if (!/^#(?:\/|$)/.test(reference)) return undefined;
  return namesOf(reference).reduce<unknown>(
    (value, name) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined),
    root,
  );
}

/** Counts the values of JSON. */
function sizeOf(value: unknown): number {
  if (!isObject(value)) return 1;
  return Object.values(value).reduce<number>((size, child) => size + sizeOf(child), 1);
}
