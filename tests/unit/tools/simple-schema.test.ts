import fc from 'fast-check';
import { expect, it } from 'vitest';
import { simpleSchema } from '../../../server/src/tools/portable-schema.ts';

const keywords = 'type description enum default minimum maximum items properties required'.split(' ');
const accepted = new Set([...keywords, 'additionalProperties', 'anyOf']);

it('a type with null, a pattern and lengths become the type alone', () => {
  const due = { type: ['string', 'null'], pattern: '^[0-9-]+$', minLength: 1, maxLength: 9, format: 'date' };

  expect(simpleSchema({ type: 'object', properties: { due } })).toEqual({
    type: 'object',
    properties: { due: { type: 'string' } },
  });
});

it('a reference becomes what it refers to, and one that refers to itself ends', () => {
  const node = { type: 'object', properties: { name: { type: 'string' }, next: { $ref: '#/$defs/node' } } };

  const schema = simpleSchema({
    type: 'object',
    properties: { first: { $ref: '#/$defs/node' } },
    $defs: { node },
  });

  const next = { description: 'Any value.' };
  const first = { type: 'object', properties: { name: { type: 'string' }, next } };
  expect(schema).toEqual({ type: 'object', properties: { first } });
});

it('a schema that refers to itself many times stays small', () => {
  const references = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`p${i}`, { $ref: '#' }]));

  expect(JSON.stringify(simpleSchema({ type: 'object', properties: references })).length).toBeLessThan(
    200_000,
  );
});

it('a long part that is referred to many times stays small', () => {
  const $defs = { long: { description: 'x'.repeat(10_000), properties: { ['y'.repeat(10_000)]: {} } } };
  const properties = Object.fromEntries(
    Array.from({ length: 500 }, (_, i) => [`p${i}`, { $ref: '#/$defs/long' }]),
  );

  expect(JSON.stringify(simpleSchema({ type: 'object', $defs, properties })).length).toBeLessThan(200_000);
});

it('an object has properties, and a list has items', () => {
  expect(simpleSchema({ type: 'object' })).toEqual({ type: 'object', properties: {} });
  expect(simpleSchema({ type: 'array' })).toEqual({ type: 'array', items: { type: 'string' } });
});

// llama.cpp allows no property that the schema does not allow, so a filter could only be empty.
it('an object without names of properties may have any, of the type that its schema describes', () => {
  const text = { type: 'string' };

  expect(simpleArgument({ type: 'object' })).toMatchObject({ additionalProperties: true });
  expect(simpleArgument({ type: 'object', additionalProperties: { ...text, pattern: 'x' } })).toMatchObject({
    additionalProperties: text,
  });
  expect(
    simpleArgument({ type: 'object', patternProperties: { '^x-': text }, additionalProperties: false }),
  ).toMatchObject({ additionalProperties: true });
  expect(simpleArgument({ type: 'object', additionalProperties: false })).toMatchObject({
    additionalProperties: false,
  });
});

it('a tuple is a list whose entries have the types of its places', () => {
  const [number, text] = [{ type: 'number' }, { type: 'string' }];

  expect(simpleArgument({ type: 'array', items: [number, number] })).toEqual({
    type: 'array',
    items: number,
  });
  expect(simpleArgument({ type: 'array', prefixItems: [number, text] })).toEqual({
    type: 'array',
    items: { anyOf: [number, text] },
  });
});

it('a schema that is built on others in several steps has the properties of all', () => {
  const part = (name: string) => ({ type: 'object', properties: { [name]: { type: 'string' } } });
  const $defs = { a: part('a'), b: { allOf: [{ $ref: '#/$defs/a' }, part('b')] } };

  expect(simpleSchema({ $defs, allOf: [{ $ref: '#/$defs/b' }, part('c')] })).toMatchObject({
    properties: { a: { type: 'string' }, b: { type: 'string' }, c: { type: 'string' } },
  });
});

// OpenAI and Anthropic refuse alternatives of the arguments as a whole.
it('arguments with alternatives have the properties of all alternatives', () => {
  const alternatives = ['a', 'b'].map((kind) => ({
    properties: { kind: { const: kind }, [kind]: { type: 'number' } },
    required: ['kind', kind],
  }));

  expect(simpleSchema({ type: 'object', oneOf: alternatives })).toEqual({
    type: 'object',
    properties: {
      kind: { anyOf: [{ enum: ['a'] }, { enum: ['b'] }] },
      a: { type: 'number' },
      b: { type: 'number' },
    },
  });
});

/** The form of an argument. */
function simpleArgument(argument: object): unknown {
  return simpleSchema({ type: 'object', properties: { argument } }).properties?.['argument'];
}

it('one choice beside null is that choice, and several stay', () => {
  const choices = [{ type: 'string' }, { type: 'null' }];

  expect(simpleSchema({ anyOf: choices, description: 'A name.' })).toEqual({
    type: 'string',
    description: 'A name.',
  });
  expect(simpleSchema({ oneOf: [...choices, { type: 'integer' }] })).toEqual({
    anyOf: [{ type: 'string' }, { type: 'integer' }],
  });
});

it('bounds above a million are left out', () => {
  expect(simpleSchema({ type: 'integer', minimum: 1, maximum: 2 ** 53 })).toEqual({
    type: 'integer',
    minimum: 1,
  });
});

const names = ['string', 'integer', 'object', 'array', 'null'];
const name = fc.constantFrom('a', 'b', 'due_date', 'x-y');
const { schema: anySchema } = fc.letrec<{ schema: object }>((tie) => ({
  // Without a limit for the depth, most schemas would never end.
  schema: fc.oneof(
    { maxDepth: 3 },
    fc.constant({ type: 'string' }),
    fc.record(
      {
        type: fc.constantFrom(...names, ['string', 'null'], ['integer', 'string'], 5),
        description: fc.string(),
        enum: fc.array(fc.constantFrom('a', 1, null)),
        const: fc.constantFrom('x', null),
        pattern: fc.string(),
        maxLength: fc.nat(),
        maximum: fc.double(),
        items: fc.oneof(tie('schema'), fc.boolean()),
        properties: fc.dictionary(name, fc.oneof(tie('schema'), fc.boolean()), { maxKeys: 3 }),
        required: fc.array(name),
        anyOf: fc.array(tie('schema'), { maxLength: 2 }),
        allOf: fc.array(tie('schema'), { maxLength: 2 }),
        $ref: fc.constantFrom('#', '#/properties/a', '#/nowhere', 'https://example.com/schema'),
      },
      { requiredKeys: [] },
    ),
  ),
}));

it('of any schema, only what servers accept is left', () => {
  fc.assert(
    fc.property(anySchema, (schema) => {
      for (const part of partsOf(simpleSchema({ type: 'object', properties: { a: schema } }))) {
        expect(Object.keys(part).filter((key) => !accepted.has(key))).toEqual([]);
        expect(Array.isArray(part['type'])).toBe(false);
        expect(part['type']).not.toBe('null');
        if (part['type'] === 'object') expect(part).toHaveProperty('properties');
        if (part['type'] === 'array') expect(part).toHaveProperty('items');
      }
    }),
    { numRuns: 500 },
  );
});

const isSchema = (value: unknown): value is object => value instanceof Object && !Array.isArray(value);

/** A schema and all schemas in it. */
function partsOf(schema: object): Record<string, unknown>[] {
  const { properties = {}, items = [], anyOf = [] } = schema as Record<string, object | undefined>;
  const inner = [...Object.values(properties), ...Object.values(anyOf), items].filter(isSchema);
  return [schema as Record<string, unknown>, ...inner.flatMap(partsOf)];
}
