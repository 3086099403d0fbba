import type { OpenAPI3 } from 'openapi-typescript';

interface Schema {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly description?: string;
}

/** A copy in which each property that refers to a schema has the schema's description, which editors show. */
export function withDescriptions(document: OpenAPI3): OpenAPI3 {
  const schemas = (document.components?.schemas ?? {}) as Readonly<Record<string, Schema>>;
  const describe = (schema: Schema): Schema => {
    const name = [schema, ...(schema.anyOf ?? [])]
      .find(({ $ref }) => $ref !== undefined)
      ?.$ref?.replace(/^.*\//, '');
    const description = schema.description ?? schemas[name ?? '']?.description;
    return description === undefined ? schema : { ...schema, description };
  };
  return JSON.parse(JSON.stringify(document), (key, value: unknown) => {
    if (key !== 'properties' || typeof value !== 'object' || value === null) return value;
    const described = Object.entries(value as Record<string, Schema>).map(([name, schema]) => [
      name,
      describe(schema),
    ]);
    return Object.fromEntries(described) as unknown;
  }) as OpenAPI3;
}
