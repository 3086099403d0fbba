import { expect, it } from 'vitest';
import { isId, newId } from '../../../server/src/lib/ids.ts';

it('newId creates unique UUIDv7s that sort by the time of their creation', () => {
  const ids = Array.from({ length: 10_000 }, newId);

  expect(ids.every(isId)).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.toSorted()).toEqual(ids);
});

it.each(['', 'x', '01932c07-a5a8-4d51-8a62-3a4b5c6d7e8f', '01932c07a5a87d518a623a4b5c6d7e8f', "' or 1=1"])(
  'isId is false for %j',
  (text) => {
    expect(isId(text)).toBe(false);
  },
);
