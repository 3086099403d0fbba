import type { Schema } from '../contract/schema.ts';
import { asObject, objectsIn, targetOf, type Json } from '../lib/json.ts';

/** The schema of an argument of a tool of this server. */
export interface PortableSchema extends Schema {
  readonly type: string;
  readonly properties?: Readonly<Record<string, PortableSchema>>;
}

/**
 * Converts the schema of an argument to a form that every client accepts. The list of tools is in the context of every
 * conversation, so the form has descriptions of one sentence, no defaults and no bounds. Fields with the same description
 * are described once: `described` has the descriptions so far.
 */
export function portable(schema: Schema, described: Set<string> = new Set()): PortableSchema {
  const { type, description, enum: values, items, properties = {}, required } = simpleSchema(schema);
  if (typeof type !== 'string')
    throw new Error('The contract has a schema without a type, which no tool can have.');
  const isNew = description !== undefined && !described.has(description);
  if (isNew) described.add(description);
  const fields = Object.entries(properties).map(([name, each]) => [name, portable(each, described)] as const);
  return {
    type,
    ...(isNew && { description: firstSentence(description) }),
    ...(values && { enum: values }),
    ...(required && { required }),
    // The description of a list also describes its entries.
    ...(items && { items: portable({ ...items, ...(description && { description }) }, described) }),
    ...(fields.length > 0 && { properties: Object.fromEntries(fields), additionalProperties: false }),
  };
}

function firstSentence(text: string): string {
  return text
    .trim()
    .replaceAll(/\s+/g, ' ')
    .replace(/(?<=\.) .*$/, '');
}

// A schema may refer to a long part many times. A part beyond these limits accepts everything.
const depthMax = 16;
const referredBytesMax = 64 * 1024;

/**
 * Removes from a schema what model servers refuse: references, lists of types, null, bounds, `pattern`, lengths that a
 * grammar would expand (llama.cpp: "failed to parse grammar"), `enum` of other values than text (Gemini), and a type next
 * to `anyOf` (Kimi). Gives each object `properties` and each list `items`, which Gemini requires. A call of the tool
 * still checks what is removed here.
 */
export function simpleSchema(schema: object): Schema {
  const root = schema as Json;
  return simplify(root, { root, depth: 0, expanding: new Set(), budget: { bytes: referredBytesMax } });
}

interface Place {
  readonly root: Json;
  readonly depth: number;
  /** The references that were followed to this place. A part that refers to itself is copied once. */
  readonly expanding: Set<string>;
  /** How many more bytes may be copied from references. */
  readonly budget: { bytes: number };
}

function simplify(schema: Json, place: Place): Schema {
  if (place.depth > depthMax) return anyValue;
  const inside = { ...place, depth: place.depth + 1, expanding: new Set(place.expanding) };
  const { alternatives, ...own } = flatten(schema, inside);
  const { description, default: initial = null } = own;
  const listed = 'const' in own ? [own['const']] : listOf(own['enum']);
  const values = listed.filter((value) => value !== null && value !== '');
  const type = typeOf(own, values);
  const isText = type === 'string' && values.every((value) => typeof value === 'string');
  const others = values.length > 0 && !isText ? `One of ${JSON.stringify(values)}.` : '';
  const described = [description, others].filter((text) => typeof text === 'string' && text !== '').join(' ');
  const simple = {
    ...(type !== undefined && { type }),
    ...(described !== '' && { description: described }),
    ...(values.length > 0 && isText && { enum: values }),
    ...(initial !== null && { default: initial }),
    ...(type === 'array' && { items: simplify(itemsOf(own), inside) }),
    ...(type === 'object' && objectKeywords(own, inside)),
    // A schema with a type loses its alternatives, because servers refuse both together.
    ...(type === undefined &&
      alternatives.length > 0 && { anyOf: alternatives.map((each) => simplify(each, inside)) }),
  };
  return Object.keys(simple).length === 0 ? anyValue : simple;
}

/** llama.cpp takes an empty schema for an object. */
const anyValue: Schema = { description: 'Any value.' };

/** The schema of the entries of a list. A tuple becomes a list whose entries match any of its schemas. */
function itemsOf({ items, prefixItems }: Json): Json {
  const places = objectsIn([prefixItems ?? [], items ?? []].flat());
  return places.length > 0 ? { anyOf: places } : { type: 'string' };
}

function objectKeywords(
  { properties, required, patternProperties, additionalProperties }: Json,
  place: Place,
): Pick<Schema, 'properties' | 'required' | 'additionalProperties'> {
  const named = Object.entries(asObject(properties) ?? {});
  const names = listOf(required);
  const requiredNames = named.flatMap(([name]) => (names.includes(name) ? [name] : []));
  // llama.cpp allows other properties only if the schema does. An inner object that names no properties allows any.
  const isMap = (named.length === 0 && place.depth > 1) || undefined;
  const others = patternProperties === undefined ? (additionalProperties ?? isMap) : true;
  return {
    properties: Object.fromEntries(
      named.map(([name, value]) => [name, simplify(asObject(value) ?? {}, place)]),
    ),
    ...(requiredNames.length > 0 && { required: requiredNames }),
    ...(others !== undefined && { additionalProperties: others !== false }),
  };
}

/**
 * Follows a reference within the schema. Any other reference, and a reference inside its own target, becomes a schema
 * that accepts everything.
 */
function resolve(schema: Json, { root, budget, expanding }: Place): Json {
  const { $ref: reference, ...own } = schema;
  if (typeof reference !== 'string') return schema;
  if (budget.bytes <= 0 || expanding.has(reference)) return own;
  expanding.add(reference);
  const referred = asObject(targetOf(reference, root)) ?? {};
  budget.bytes -= JSON.stringify(referred).length;
  return { ...referred, ...own };
}

/**
 * Resolves the schema, and merges its `allOf`. Merges `anyOf` or `oneOf` too if only one part is not null; several
 * become `alternatives`. In an object, the properties of all these parts become optional properties instead.
 */
function flatten(schema: Json, place: Place): Json & { readonly alternatives: readonly Json[] } {
  const { allOf, anyOf, oneOf, ...own } = resolve(schema, place);
  const choices = [...objectsIn(anyOf), ...objectsIn(oneOf)].filter(
    ({ $ref, type }) => (type ?? asObject(targetOf(String($ref), place.root))?.['type']) !== 'null',
  );
  const inherited = [...objectsIn(allOf), ...(choices.length === 1 ? choices : [])];
  const parts = inherited.map((part) => flatten(part, place));
  const alternatives = choices.length > 1 ? choices : parts.flatMap((part) => part.alternatives);
  const all = [...parts, own];
  const flat = Object.assign({}, ...all) as Json;
  if (flat['type'] !== 'object' && flat['properties'] === undefined) return { ...flat, alternatives };
  const optional = propertiesOfAny(alternatives.map((part) => flatten(part, place)));
  return {
    ...flat,
    properties: Object.assign(optional, ...all.map((part) => asObject(part['properties']))) as Json,
    required: all.flatMap((part) => listOf(part['required'])),
    alternatives: [],
  };
}

function propertiesOfAny(schemas: readonly Json[]): Json {
  const all = schemas.flatMap((schema) => Object.entries(asObject(schema['properties']) ?? {}));
  const byName = Map.groupBy(all, ([name]) => name);
  const either = (named: typeof all): Json => ({ anyOf: named.map(([, value]) => value) });
  return Object.fromEntries([...byName].map(([name, named]) => [name, either(named)]));
}

/** The type of a value. Several types become text, which can represent any of them. */
function typeOf({ type, properties, items }: Json, values: readonly unknown[]): string | undefined {
  const types = [type].flat().filter((each): each is string => typeof each === 'string' && each !== 'null');
  if (types.length > 0) return types.length === 1 ? types[0] : 'string';
  if (properties !== undefined) return 'object';
  if (items !== undefined) return 'array';
  const [kind, ...others] = new Set(values.map((value) => typeof value));
  return others.length > 0 ? 'string' : kind;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
