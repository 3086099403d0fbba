import { describe, expect, it } from 'vitest';
import { depthExceeds } from '../../../server/src/lib/json.ts';

const arrays = (levels: number, innermost: string): unknown =>
  JSON.parse('['.repeat(levels) + innermost + ']'.repeat(levels));
const objects = (levels: number, innermost: string): unknown =>
  JSON.parse('{"a":'.repeat(levels - 1) + `{${innermost}}` + '}'.repeat(levels - 1));

describe('the depth of a JSON value', () => {
  it.each([
    ['arrays, the innermost one empty', arrays, ''],
    ['arrays around a number', arrays, '1'],
    ['objects, the innermost one empty', objects, ''],
    ['objects around a number', objects, '"a":1'],
  ])('is the number of levels of %s', (_name, nested, innermost) => {
    expect(depthExceeds(nested(64, innermost), 64)).toBe(false);
    expect(depthExceeds(nested(65, innermost), 64)).toBe(true);
  });

  it.each([null, 1, 'text', true])('is none for %j', (value) => {
    expect(depthExceeds(value, 0)).toBe(false);
  });

  it('is that of the deepest part', () => {
    expect(depthExceeds({ a: [1, { b: 2 }], c: 3 }, 3)).toBe(false);
    expect(depthExceeds({ a: [1, { b: 2 }], c: 3 }, 2)).toBe(true);
  });
});
