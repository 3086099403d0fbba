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
 * A copy of the document whose examples have null for each required, nullable field that they leave out. So a new
 * nullable field of a resource need not be added to all of its examples.
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
  const parts = partsOf(schema, schemas);
  const [items] = parts.flatMap((part) => part.items ?? []);
  const properties = parts.flatMap((part) => Object.entries(part.properties ?? {}));
  const required = parts.flatMap((part) => part.required ?? []);
  if (Array.isArray(value))
    return items === undefined ? value : value.map((each) => complete(each, items, schemas));
  if (typeof value !== 'object' || value === null || properties.length === 0) return value;
  const given = new Map<string, unknown>(Object.entries(value));
  const entries = properties.flatMap(([name, each]) => {
    if (given.has(name)) return [[name, complete(given.get(name), each, schemas)]];
    return required.includes(name) && isNullable(each, schemas) ? [[name, null]] : [];
  });
  const named = new Map(properties);
  // Fields without a property in the schema come last.
  const others = [...given].filter(([name]) => !named.has(name));
  return Object.fromEntries([...entries, ...others]) as unknown;
}

/** The schema and the schemas that apply with it: its reference, `allOf`, and a single part of `anyOf` besides null. */
function partsOf(schema: Schema, schemas: Schemas): Schema[] {
  const { $ref, allOf = [], anyOf = [] } = schema;
  const referred = schemas[$ref?.replace(/^.*\//, '') ?? ''];
  const notNull = anyOf.filter(({ type }) => type !== 'null');
  const others = [...(referred ? [referred] : []), ...allOf, ...(notNull.length === 1 ? notNull : [])];
  return [schema, ...others.flatMap((each) => partsOf(each, schemas))];
}

function isNullable(schema: Schema, schemas: Schemas): boolean {
  const types = partsOf(schema, schemas).flatMap(({ type, anyOf = [] }) => [
    type,
    ...anyOf.map((each) => each.type),
  ]);
  return types.flat().includes('null');
}
