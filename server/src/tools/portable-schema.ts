import type { Schema } from '../contract/schema.ts';

/** A schema for the clients of MCP. */
export interface PortableSchema extends Schema {
  readonly type: string;
  readonly items?: PortableSchema;
  readonly properties?: Readonly<Record<string, PortableSchema>>;
}

interface Options {
  /** If true, descriptions are shortened to their first sentence, without defaults and bounds. */
  readonly isBrief?: boolean;
}

/** The descriptions that the schema already has, so that fields of the same kind are described once. */
type Described = Set<string>;

/**
 * A schema in a form that every client accepts: one type for each value, no references, and optional properties instead
 * of null. Patterns and lengths are left to the contract's validation, whose messages help a model more.
 */
export function portable(
  schema: Schema,
  options: Options = {},
  described: Described = new Set(),
): PortableSchema {
  const merged = mergeParts(schema);
  const {
    description,
    enum: values,
    default: defaultValue,
    minimum,
    maximum,
    items,
    properties,
    required,
  } = merged;
  const { isBrief = false } = options;
  const mapped = (schemas: Readonly<Record<string, Schema>>): Record<string, PortableSchema> =>
    Object.fromEntries(
      Object.entries(schemas).map(([name, each]) => [name, portable(each, options, described)]),
    );
  return {
    type: typeOf(merged),
    ...newDescription(description, options, described),
    ...(values === undefined ? {} : { enum: values }),
    ...(defaultValue === undefined || Array.isArray(defaultValue) || isBrief
      ? {}
      : { default: defaultValue }),
    ...(!isBrief && minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER ? { minimum } : {}),
    ...(!isBrief && maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER ? { maximum } : {}),
    ...(items === undefined
      ? {}
      : {
          items: portable(description === undefined ? items : withoutDescription(items), options, described),
        }),
    ...(properties && {
      properties: mapped(properties),
      ...(required && { required }),
      additionalProperties: false,
    }),
  };
}

/** The description of a list already describes its entries. */
function withoutDescription({ description, ...items }: Schema): Schema {
  return items;
}

/** Returns true if a schema allows null. */
function isNullable(schema: Schema): boolean {
  return [schema.type].flat().includes('null') || (schema.anyOf ?? []).some(isNullable);
}

/** Several types become text, because some clients reject the whole list of tools for one list of types. */
function typeOf({ type, properties }: Schema): string {
  const types = [type ?? (properties === undefined ? [] : 'object')].flat().filter((each) => each !== 'null');
  const [only] = types;
  if (only === undefined)
    throw new Error('The contract has a schema without a type, which no tool can have.');
  return types.length === 1 ? only : 'string';
}

/** Merges the parts of `allOf`. Of `anyOf`, merges the part that is not null. */
function mergeParts(schema: Schema): Schema {
  const { allOf = [], anyOf = [], ...own } = schema;
  const parts = [...allOf, ...anyOf.filter((part) => !isNullable(part))];
  return parts.map(mergeParts).reduce<Schema>(
    (merged, part) => ({
      ...part,
      ...merged,
      ...(part.properties === undefined ? {} : { properties: { ...merged.properties, ...part.properties } }),
      ...(part.required === undefined ? {} : { required: [...(merged.required ?? []), ...part.required] }),
    }),
    own,
  );
}

// Descriptions are short, because the list of tools is in the context of every conversation.
const descriptionLengthMax = 140;

function newDescription(
  description: string | undefined,
  { isBrief = false }: Options,
  described: Described,
): { description?: string } {
  if (description === undefined || described.has(description)) return {};
  described.add(description);
  return { description: shortDescription(description, isBrief ? 0 : descriptionLengthMax) };
}

/** A description on one line. If it is too long, only its first sentence. */
function shortDescription(text: string, lengthMax: number): string {
  const line = text.trim().replaceAll(/\s+/g, ' ');
  return line.length <= lengthMax ? line : line.replace(/(?<=\.) .*$/, '');
}
