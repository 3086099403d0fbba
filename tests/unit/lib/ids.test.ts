import { expect, it } from 'vitest';
import { isId, newId } from '../../../server/src/lib/ids.ts';

it('newId creates unique UUIDv7s that sort by the time of their creation', () => {
  const ids = Array.from({ length: 10_000 }, newId);

  expect(ids.every(isId)).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.toSorted()).toEqual(ids);
});
