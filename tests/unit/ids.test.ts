import { describe, expect, it } from 'vitest';
import { isId, newId, shardOfId, shardOfUser } from '../../server/src/ids.ts';

describe('newId', () => {
  it.each(['alice', 'bob', 'Ünïcode', 'x'.repeat(255)])('creates UUIDv7s with the shard of %.10s', (user) => {
    const ids = Array.from({ length: 100 }, () => newId(user));

    expect(ids.every(isId)).toBe(true);
    expect(new Set(ids.map(shardOfId))).toEqual(new Set([shardOfUser(user)]));
  });

  it('creates unique ids that sort by the time of their creation', () => {
    const ids = Array.from({ length: 10_000 }, () => newId('alice'));

    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.toSorted()).toEqual(ids);
  });
});

describe('shardOfUser', () => {
  it('never changes, because ids in databases depend on it', () => {
    expect(['alice', 'bob', ''].map(shardOfUser)).toEqual([656, 233, 85]);
  });

  it('spreads users over all 1024 shards', () => {
    const shards = new Set(Array.from({ length: 20_000 }, (_, n) => shardOfUser(`user ${n}`)));

    expect(shards.size).toBe(1024);
    expect([Math.min(...shards), Math.max(...shards)]).toEqual([0, 1023]);
  });
});

describe('isId', () => {
  it.each(['', 'x', '01932c07-a5a8-4d51-8a62-3a4b5c6d7e8f', '01932c07a5a87d518a623a4b5c6d7e8f', "' or 1=1"])(
    'is false for %j',
    (text) => {
      expect(isId(text)).toBe(false);
    },
  );
});
