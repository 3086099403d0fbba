import { expect, it } from 'vitest';
import { lockKey } from '../../../server/src/db/advisory-lock.ts';

it('locks of different users and purposes have different keys, so nobody waits for another user', () => {
  const names = [['alice'], ['bob'], ['alice', 'x'], ['alicex', '']];

  const keys = (['quota', 'recount'] as const).flatMap((each) =>
    names.map((given) => lockKey(each, ...given)),
  );

  expect(new Set(keys).size).toBe(8);
});
