import { expect, it } from 'vitest';
import type { OpenAPI3 } from 'openapi-typescript';
import { withNulls } from '../../../scripts/generate/complete-examples.ts';

const schemas = {
  Note: {
    type: 'object',
    required: ['text', 'color', 'parent', 'count'],
    properties: {
      text: { type: 'string' },
      color: { type: ['string', 'null'] },
      parent: { anyOf: [{ $ref: '#/components/schemas/Note' }, { type: 'null' }] },
      count: { type: 'integer' },
      optional: { type: ['string', 'null'] },
    },
  },
};

function completed(schema: object, example: unknown): unknown {
  const document = {
    openapi: '3.1.1',
    info: { title: 'Notes', version: '1' },
    components: { schemas, responses: { One: { content: { 'application/json': { schema, example } } } } },
  };
  // Casts, because the document has only the parts that the function reads.
  const { components } = withNulls(document as unknown as OpenAPI3) as unknown as typeof document;
  return components.responses.One.content['application/json'].example;
}

const note = { $ref: '#/components/schemas/Note' };

it('an example gets null for each required field that it leaves out and that may be null', () => {
  expect(completed(note, { text: 'a' })).toEqual({ text: 'a', color: null, parent: null });
});

it('an example keeps its values, and fields that the schema does not name', () => {
  const example = { text: 'a', color: 'red', parent: null, count: 1, other: [null] };

  expect(completed(note, example)).toEqual(example);
});

it.each([
  ['lists', { type: 'array', items: note }, [{ text: 'a' }], [{ text: 'a', color: null, parent: null }]],
  [
    'fields that may be null',
    note,
    { text: 'a', parent: { text: 'b' } },
    { text: 'a', color: null, parent: { text: 'b', color: null, parent: null } },
  ],
  [
    'the parts of allOf',
    {
      allOf: [note, { type: 'object', required: ['due'], properties: { due: { type: ['string', 'null'] } } }],
    },
    {},
    { color: null, parent: null, due: null },
  ],
])('objects in %s are completed too', (_, schema, example, expected) => {
  expect(completed(schema, example)).toEqual(expected);
});
