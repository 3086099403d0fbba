import { describe, expect, it } from 'vitest';
import { newETag } from '../../../server/src/lib/ids.ts';
import { matchesETag } from '../../../server/src/lib/etag.ts';

describe('an ETag', () => {
  it('is never used twice', () => {
    const etags = Array.from({ length: 1000 }, newETag);

    expect(new Set(etags).size).toBe(1000);
    for (const etag of etags) expect(etag).toMatch(/^"[\w-]{12}"$/);
  });

  it.each([
    ['"b"', true],
    ['W/"b"', true],
    ['"a","b"', true],
    ['"a", W/"b"', true],
    ['*', true],
    ['"a"', false],
    ['W/"a"', false],
    ['b', false],
    ['', false],
  ])('that is "b" is matched by %j: %j', (header, matches) => {
    expect(matchesETag(header, '"b"')).toBe(matches);
  });
});
