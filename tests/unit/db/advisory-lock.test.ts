import { describe, expect, it } from 'vitest';
import { lockKey } from '../../../server/src/db/advisory-lock.ts';
import { compiler } from '../../../server/src/db/prepare.ts';

describe('lockKey', () => {
  it('keeps the names of one purpose apart from those of another', () => {
    const keys = [
      lockKey('runs of a caller', 'alice'),
      lockKey('idempotency key', 'runs of a caller', 'alice'),
      lockKey('idempotency key', 'alice', 'x'),
      lockKey('idempotency key', 'alicex', ''),
    ].map((key) => key.compile(compiler).parameters[0]);

    expect(new Set(keys).size).toBe(4);
  });
});
