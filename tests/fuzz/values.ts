import fc from 'fast-check';

/** The keywords of a JSON Schema that the generator reads. References are resolved. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

const allTypes = ['null', 'boolean', 'object', 'array', 'string', 'number'];

/** Generates values that the schema allows or nearly allows: it ignores patterns, and some strings are too long. */
export function valueOf({ allOf = [], anyOf = [], oneOf = [], ...own }: Schema): fc.Arbitrary<unknown> {
  if (allOf.length > 0) return valueOf(allOf.reduce(merge, { ...own, anyOf, oneOf }));
  const choices = [...anyOf, ...oneOf];
  if (choices.length > 0) return fc.oneof(...choices.map((choice) => valueOf(merge(own, choice))));
  return fc.oneof(...[own.type ?? allTypes].flat().map((type) => valueOfType({ ...own, type })));
}

function merge(a: Schema, b: Schema): Schema {
  const required = [...new Set([...(a.required ?? []), ...(b.required ?? [])])];
  return { ...a, ...b, properties: { ...a.properties, ...b.properties }, required };
}

function valueOfType(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.maxSafeInteger().map((value) => between(schema, value));
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => between(schema, value));
    case 'array':
      return fc.array(valueOf(schema.items ?? {}), { maxLength: 4 });
    case 'object':
      return recordOf(schema);
    default:
      return textOf(schema);
  }
}

function between({ minimum, maximum }: Schema, value: number): number {
  if (minimum !== undefined && value < minimum) return minimum;
  if (maximum === undefined || value <= maximum) return value;
  // Mostly small sizes, and sometimes the maximum.
  return value % 10 === 0 ? maximum : Math.min(maximum, (minimum ?? 0) + (value % 500));
}

function recordOf({ properties = {}, required = [] }: Schema): fc.Arbitrary<unknown> {
  const values = Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, valueOf(each)]));
  const known = fc.record(values, { requiredKeys: required.filter((name) => name in values) });
  const unknown = fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 2 });
  return fc.tuple(unknown, known).map(([others, fields]) => ({ ...others, ...fields }));
}

const oddTexts = ['', ' ', '\u0000', '\ud800', '\ufffe', '\u202e', "'; drop table tasks; --", '%', '😀'];

function textOf({ format, maxLength: longest = 200 }: Schema): fc.Arbitrary<string> {
  const date = fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-12-31') });
  if (format === 'date-time') return date.map((value) => value.toISOString());
  if (format === 'date') return date.map((value) => value.toISOString().slice(0, 10));
  return fc.oneof(
    { weight: 6, arbitrary: fc.string({ unit: 'grapheme-ascii', maxLength: Math.min(longest, 40) }) },
    { weight: 3, arbitrary: fc.string({ unit: 'grapheme', maxLength: Math.min(longest, 20) }) },
    { weight: 1, arbitrary: fc.constantFrom(...oddTexts) },
    { weight: 1, arbitrary: fc.constantFrom(longest, longest + 1).map((length) => 'ü'.repeat(length)) },
  );
}
