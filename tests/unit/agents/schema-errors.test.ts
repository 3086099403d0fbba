import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expandedSizeOf, schemaErrors } from '../../../server/src/agents/skills/mcp/schema-errors.ts';

const names = ['a', 'b', 'c', 'd'];
const reference = fc.constantFrom('#', '#/$defs/a', '#/$defs/b', '#/$defs/c', '#/$defs/none', '#d', 'x.json');

/** Schemas whose parts refer to each other, to themselves or to nothing. */
const schema = fc.letrec<{ part: object; parts: object[]; named: Record<string, object> }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<object>({}, { type: 'string' }, { type: 'integer', minimum: 2 }, { minimum: 'x' }),
    reference.map(($ref) => ({ $ref })),
    tie('parts').map((allOf) => ({ allOf })),
    tie('parts').map((anyOf) => ({ anyOf })),
    tie('part').map((items) => ({ type: 'array', items, uniqueItems: true })),
    tie('named').map((properties) => ({ properties, required: names })),
  ),
  parts: fc.array(tie('part'), { minLength: 1, maxLength: 3 }),
  named: fc.dictionary(fc.constantFrom(...names), tie('part')),
}));

const schemas = fc
  .tuple(schema.part, fc.dictionary(fc.constantFrom(...names), schema.part))
  .map(([root, $defs]) => ({ ...root, $defs }));

const values = fc.dictionary(fc.constantFrom(...names), fc.jsonValue({ maxDepth: 4 }));

describe('the schema of a foreign tool', () => {
  it('is judged in a bounded number of steps, and never throws, however its parts refer to each other', () => {
    fc.assert(
      fc.property(schemas, values, (tool, call) => {
        const size = expandedSizeOf(tool);

        expect(size <= 5000 || size === Infinity).toBe(true);
        expect(Array.isArray(schemaErrors(tool, call as Record<string, unknown>))).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['1,001 references', { anyOf: Array(1001).fill({ $ref: '#/$defs/a' }), $defs: { a: {} } }],
    ['65 levels', JSON.parse(`${'{"not":'.repeat(64)}{"not":{}}${'}'.repeat(64)}`) as object],
    ['more than 64 KiB', { description: 'x'.repeat(65_536) }],
    ['5,001 values', { enum: Array(5001).fill(1) }],
  ])('with %s is left to its server', (_name, tool) => {
    expect(schemaErrors({ ...tool, required: ['a'] }, {})).toEqual([]);
  });

  it('that is smaller than its limits refuses arguments', () => {
    const tool = { anyOf: Array(1000).fill({ $ref: '#/$defs/a' }), $defs: { a: {} }, required: ['a'] };

    expect(schemaErrors(tool, {})).toMatchObject([{ pointer: '/a', code: 'required' }]);
  });
});
