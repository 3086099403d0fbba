import type { OpenAPI3 } from 'openapi-typescript';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}

type Schemas = Readonly<Record<string, Schema>>;

interface MediaType {
  readonly schema: Schema;
  example?: unknown;
  readonly examples?: Readonly<Record<string, { value: unknown }>>;
}

/**
 * A copy of the document whose examples have null for each required, nullable field that they leave out. So a new field
 * of a resource need not be added to all of its examples.
 */
export function withNulls(document: OpenAPI3): OpenAPI3 {
  const schemas = (document.components?.schemas ?? {}) as Schemas;
  return JSON.parse(JSON.stringify(document), (_key, value: unknown) => {
    if (isMediaType(value)) {
      const { schema, examples = {} } = value;
      if ('example' in value) value.example = complete(value.example, schema, schemas);
      for (const each of Object.values(examples)) each.value = complete(each.value, schema, schemas);
    }
    return value;
  }) as OpenAPI3;
}

function isMediaType(value: unknown): value is MediaType {
  if (typeof value !== 'object' || value === null || !('schema' in value)) return false;
  return 'example' in value || 'examples' in value;
}

function complete(value: unknown, schema: Schema, schemas: Schemas): unknown {
  const { items, properties, required } = merged(schema, schemas);
  if (Array.isArray(value))
    return items === undefined ? value : value.map((each) => complete(each, items, schemas));
  if (typeof value !== 'object' || value === null || properties === undefined) return value;
  const given = new Map<string, unknown>(Object.entries(value));
  const entries = Object.entries(properties).flatMap(([name, each]) => {
    if (given.has(name)) return [[name, complete(given.get(name), each, schemas)]];
    return required?.includes(name) === true && isNullable(each, schemas) ? [[name, null]] : [];
  });
  // Fields without a property in the schema come last.
  const others = [...given].filter(([name]) => !(name in properties));
  return Object.fromEntries([...entries, ...others]) as unknown;
}

/**
 * The schema, merged with the schemas that it refers to, with the parts of `allOf`, and with the part of `anyOf` that
 * is not null.
 */
function merged(schema: Schema, schemas: Schemas): Schema {
  const { $ref, allOf = [], anyOf = [], ...own } = schema;
  const referred = schemas[$ref?.replace(/^.*\//, '') ?? ''];
  const notNull = anyOf.filter((each) => !isNull(each));
  const parts = [...(referred ? [referred] : []), ...allOf, ...(notNull.length === 1 ? notNull : [])];
  return parts
    .map((part) => merged(part, schemas))
    .reduce(
      (all, part) => ({
        ...part,
        ...all,
        ...(part.properties && { properties: { ...all.properties, ...part.properties } }),
        ...(part.required && { required: [...(all.required ?? []), ...part.required] }),
      }),
      own,
    );
}

function isNullable(schema: Schema, schemas: Schemas): boolean {
  const { type, anyOf = [] } = { ...schemas[schema.$ref?.replace(/^.*\//, '') ?? ''], ...schema };
  return [type].flat().includes('null') || anyOf.some(isNull);
}

function isNull({ type }: Schema): boolean {
  return type === 'null';
}
