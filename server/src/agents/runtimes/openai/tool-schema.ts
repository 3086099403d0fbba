import type { Schema } from '../../../contract/schema.ts';
import { asObject, type Json } from '../../../json.ts';

// A schema may refer to itself, or to a long part many times. A part beyond these limits accepts everything.
const depthMax = 16;
const referredBytesMax = 64 * 1024;

// A grammar enumerates the digits of a bound, so large bounds are left out.
const boundMax = 1_000_000;

/**
 * Removes from the schema of a tool's arguments what model servers refuse: references, lists of types, null, `pattern`,
 * and lengths that a grammar would expand (llama.cpp: "failed to parse grammar"). Gives each object `properties` and
 * each list `items`, which Gemini requires. A call of the tool still checks what is removed here.
 */
export function toolSchema(parameters: object): object {
  return simplify(parameters as Json, {
    root: parameters as Json,
    depth: 0,
    budget: { bytes: referredBytesMax },
  });
}

interface Place {
  readonly root: Json;
  readonly depth: number;
  /** How many more bytes may be copied from references. */
  readonly budget: { bytes: number };
}

function simplify(schema: Json, place: Place): Schema {
  if (place.depth > depthMax) return {};
  const { parts, ...own } = mergeParts(resolve(schema, place), place);
  const inside = { ...place, depth: place.depth + 1 };
  const type = typeOf(own);
  return {
    ...(type === undefined ? {} : { type }),
    ...(typeof own['description'] === 'string' ? { description: own['description'] } : {}),
    ...enumOf(own),
    ...('default' in own && own['default'] !== null ? { default: own['default'] } : {}),
    ...bound('minimum', own),
    ...bound('maximum', own),
    ...(type === 'array' ? { items: simplify(asObject(own['items']) ?? { type: 'string' }, inside) } : {}),
    ...(type === 'object' ? objectKeywords(own, inside) : {}),
    ...(parts.length === 0 ? {} : { anyOf: parts.map((part) => simplify(part, inside)) }),
  };
}

function objectKeywords(
  schema: Json,
  place: Place,
): Pick<Schema, 'properties' | 'required' | 'additionalProperties'> {
  const properties = Object.entries(asObject(schema['properties']) ?? {});
  const names = new Set(properties.map(([name]) => name));
  const required = listOf(schema['required']).filter(
    (name) => typeof name === 'string' && names.has(name),
  ) as string[];
  return {
    properties: Object.fromEntries(
      properties.map(([name, value]) => [name, simplify(asObject(value) ?? {}, place)]),
    ),
    ...(required.length === 0 ? {} : { required }),
    ...(schema['additionalProperties'] === false ? { additionalProperties: false } : {}),
  };
}

/** Follows a reference within the schema. Any other reference becomes a schema that accepts everything. */
function resolve(schema: Json, { root, budget }: Place): Json {
  const { $ref: reference, ...own } = schema;
  if (typeof reference !== 'string') return schema;
  if (budget.bytes <= 0) return own;
  const path = reference.startsWith('#/') ? reference.slice(2).split('/') : undefined;
  const target = path?.reduce<unknown>((value, part) => (asObject(value) ?? {})[decoded(part)], root);
  const referred = asObject(target) ?? {};
  budget.bytes -= JSON.stringify(referred).length;
  return { ...referred, ...own };
}

function decoded(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Merges `allOf`, and `anyOf` or `oneOf` if only one of their parts is not null. Several such parts become `parts`. */
function mergeParts(schema: Json, place: Place): Json & { readonly parts: readonly Json[] } {
  const { allOf, anyOf, oneOf, ...own } = schema;
  const schemas = (value: unknown): Json[] =>
    listOf(value).map((part) => resolve(asObject(part) ?? {}, place));
  const choices = [...schemas(anyOf), ...schemas(oneOf)].filter(({ type }) => type !== 'null');
  const [only, ...others] = choices;
  const merged = [...schemas(allOf), ...(only !== undefined && others.length === 0 ? [only] : [])];
  const properties = Object.assign(
    {},
    ...[...merged, own].map((part) => asObject(part['properties']) ?? {}),
  ) as Json;
  const required = [...merged, own].flatMap((part) => listOf(part['required']));
  return {
    ...(Object.assign({}, ...merged) as Json),
    ...own,
    ...(merged.length === 0 ? {} : { properties, required }),
    parts: others.length === 0 ? [] : choices,
  };
}

/** The type of a value. Several types become text, which can represent any of them. */
function typeOf({ type, properties, items, enum: values }: Json): string | undefined {
  const types = [type].flat().filter((each): each is string => typeof each === 'string' && each !== 'null');
  if (types.length > 0) return types.length === 1 ? types[0] : 'string';
  if (properties !== undefined && Object.keys(asObject(properties) ?? {}).length > 0) return 'object';
  if (items !== undefined) return 'array';
  return listOf(values).every((value) => typeof value === 'string') && values !== undefined
    ? 'string'
    : undefined;
}

function enumOf(schema: Json): Pick<Schema, 'enum'> {
  const values =
    'const' in schema ? [schema['const']] : listOf(schema['enum']).filter((value) => value !== null);
  return values.length === 0 ? {} : { enum: values };
}

function bound(name: 'minimum' | 'maximum', schema: Json): Pick<Schema, 'minimum' | 'maximum'> {
  const value = schema[name];
  return typeof value === 'number' && Math.abs(value) <= boundMax ? { [name]: value } : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
