/** A JSON Schema of the contract with its references resolved, as far as the gate looks at it. */
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
  /** The name of the component that this is, where it is one. */
  readonly 'x-component'?: string;
  readonly [keyword: string]: unknown;
}

const allTypes = ['null', 'boolean', 'object', 'array', 'string', 'number'];

/**
 * The same values, told apart: each alternative has one type and neither anyOf, oneOf nor allOf. The parts of an allOf
 * are joined, which is exact where they do not limit the same keyword of the same property.
 */
export function alternatives(schema: Schema): Schema[] {
  const { allOf = [], anyOf, oneOf, ...own } = schema;
  const joined = [own, ...allOf].reduce(join);
  const choices = [...(anyOf ?? []), ...(oneOf ?? [])];
  if (choices.length > 0) return choices.flatMap((choice) => alternatives(join(joined, choice)));
  if (joined.allOf !== undefined || joined.anyOf !== undefined || joined.oneOf !== undefined)
    return alternatives(joined);
  return typesOf(joined).map((type) => ({ ...joined, type }));
}

function join(a: Schema, b: Schema): Schema {
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
