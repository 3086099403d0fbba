/** The keywords of a JSON Schema that the gate reads. References are resolved. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly pattern?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  /** The name of the component, if the schema is a component. */
  readonly 'x-component'?: string;
  readonly [keyword: string]: unknown;
}

const allTypes = ['null', 'boolean', 'object', 'array', 'string', 'number'];

/**
 * Splits a schema into alternatives. Each has one type, and no anyOf, oneOf or allOf. The parts of an allOf are merged,
 * which is exact unless two parts have the same keyword for the same property.
 */
export function alternatives(schema: Schema): Schema[] {
  const { allOf = [], anyOf, oneOf, ...rest } = schema;
  const merged = [rest, ...allOf].reduce(merge);
  const choices = [...(anyOf ?? []), ...(oneOf ?? [])];
  if (choices.length > 0) return choices.flatMap((choice) => alternatives(merge(merged, choice)));
  if (merged.allOf !== undefined || merged.anyOf !== undefined || merged.oneOf !== undefined)
    return alternatives(merged);
  return typesOf(merged).map((type) => ({ ...merged, type }));
}

function merge(a: Schema, b: Schema): Schema {
  const properties = { ...a.properties, ...b.properties };
  const required = [...new Set([...(a.required ?? []), ...(b.required ?? [])])];
  return { ...a, ...b, properties, required };
}

function typesOf({ type, const: constant, enum: values }: Schema): readonly string[] {
  if (type !== undefined) return typeof type === 'string' ? [type] : type;
  const listed = constant === undefined ? values : [constant];
  return listed === undefined ? allTypes : [...new Set(listed.map(typeOf))];
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
