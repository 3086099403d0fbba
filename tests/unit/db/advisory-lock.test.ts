import { expect, it } from 'vitest';
import { lockKey } from '../../../server/src/db/advisory-lock.ts';

it('lockKey differs for equal names of different purposes', () => {
  const keys = [
    lockKey('runs of a caller', 'alice'),
    lockKey('idempotency key', 'runs of a caller', 'alice'),
    lockKey('idempotency key', 'alice', 'x'),
    lockKey('idempotency key', 'alicex', ''),
  ];

  expect(new Set(keys).size).toBe(4);
});
