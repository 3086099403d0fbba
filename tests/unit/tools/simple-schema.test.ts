import fc from 'fast-check';
import { expect, it } from 'vitest';
import { simpleSchema } from '../../../server/src/tools/portable-schema.ts';

const keywords = 'type description enum default items properties required'.split(' ');
const accepted = new Set([...keywords, 'additionalProperties', 'anyOf']);

const choices = [{ type: 'string' }, { type: 'null' }];

it.each<[string, object, object]>([
  [
    'a type with null, a pattern, lengths and bounds become the type alone',
    { type: ['string', 'null'], pattern: '^[0-9-]+$', minLength: 1, maxLength: 9, minimum: 1, maximum: 2 },
    { type: 'string' },
  ],
  ['a list has items', { type: 'array' }, { type: 'array', items: { type: 'string' } }],
  [
    'one choice next to null is that choice',
    { anyOf: choices, description: 'A name.' },
    { type: 'string', description: 'A name.' },
  ],
  [
    'several choices next to null stay',
    { oneOf: [...choices, { type: 'integer' }] },
    { anyOf: [{ type: 'string' }, { type: 'integer' }] },
  ],
  [
    'one choice next to a reference to null is that choice',
    { anyOf: [{ type: 'string' }, { $ref: '#/$defs/none' }], $defs: { none: { type: 'null' } } },
    { type: 'string' },
  ],
  [
    'values without a type have the type of the values',
    {
      type: 'object',
      properties: {
        size: { enum: [1, 2, null] },
        five: { const: 5 },
        yes: { const: true },
        a: { const: 'a' },
      },
    },
    {
      type: 'object',
      properties: {
        size: { type: 'number', description: 'One of [1,2].' },
        five: { type: 'number', description: 'One of [5].' },
        yes: { type: 'boolean', description: 'One of [true].' },
        a: { type: 'string', enum: ['a'] },
      },
    },
  ],
])('%s', (_promise, schema, simple) => {
  expect(simpleSchema(schema)).toEqual(simple);
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

const long = { description: 'x'.repeat(10_000), properties: { ['y'.repeat(10_000)]: {} } };

it.each(['#', '#/$defs/long'])('a schema that refers to %s many times stays small', ($ref) => {
  const properties = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`p${i}`, { $ref }]));
  const schema = { type: 'object', $defs: { long }, properties };

  expect(JSON.stringify(simpleSchema(schema)).length).toBeLessThan(200_000);
});

const [text, number] = [{ type: 'string' }, { type: 'number' }];
const named = (...names: string[]) => Object.fromEntries(names.map((name) => [name, text]));
const inherited = {
  $defs: { a: { properties: named('a') }, b: { allOf: [{ $ref: '#/$defs/a' }, { properties: named('b') }] } },
  allOf: [{ $ref: '#/$defs/b' }, { properties: named('c') }],
};
// OpenAI and Anthropic refuse alternatives of the arguments as a whole.
const alternatives = ['a', 'b'].map((kind) => ({
  properties: { kind: { const: kind }, ...named(kind) },
  required: ['kind'],
}));
const kind = { anyOf: [{ enum: ['a'] }, { enum: ['b'] }] };
const withA = (schema: object) => ({ properties: { a: schema } });
const anyNames = { a: { additionalProperties: true } };

it.each<[string, object, object]>([
  // Unless additional properties are allowed, llama.cpp would make only empty objects of these types.
  ['an object without names', withA({ type: 'object' }), anyNames],
  ['a map', withA({ type: 'object', additionalProperties: { ...text, pattern: 'x' } }), anyNames],
  [
    'a map whose names have a pattern',
    withA({ type: 'object', patternProperties: { '^x-': text }, additionalProperties: false }),
    anyNames,
  ],
  [
    'a tuple',
    withA({ type: 'array', prefixItems: [number, text] }),
    { a: { items: { anyOf: [number, text] } } },
  ],
  ['a schema that is built on others in several steps', inherited, named('a', 'b', 'c')],
  [
    'arguments with alternatives of alternatives',
    { anyOf: [{ oneOf: alternatives }] },
    { kind, ...named('a', 'b') },
  ],
  ['arguments with alternatives', { oneOf: alternatives }, { kind, ...named('a', 'b') }],
])('%s may have what its schema allows', (_name, schema, properties) => {
  const simple = simpleSchema({ type: 'object', ...schema });

  expect(simple).toMatchObject({ type: 'object', properties });
  expect(Object.keys(simple)).toEqual(['type', 'properties']);
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
        if ('anyOf' in part) expect(part).not.toHaveProperty('type');
        expect([part['enum'] ?? []].flat().filter((value) => typeof value !== 'string')).toEqual([]);
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
