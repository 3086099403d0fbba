import { describe, expect, it } from 'vitest';
import { pageLinks, pageOf } from '../../server/src/paging.ts';

describe('pageOf', () => {
  it('reads at most 1000 entries', () => {
    expect(pageOf({ limit: 5000, offset: 7 })).toEqual({ limit: 1000, offset: 7 });
  });
});

describe('pageLinks', () => {
  const page = {
    path: '/things',
    query: { q: 'a b', status: ['x', 'y'] },
    limit: 10,
    offset: 0,
    length: 10,
    hasNext: false,
  };

  it('are absent for a single page', () => {
    expect(pageLinks(page)).toBeUndefined();
  });

  it('repeat the query, with lists as repeated parameters', () => {
    expect(pageLinks({ ...page, hasNext: true })).toBe(
      '</things?q=a+b&status=x&status=y&limit=10&offset=10>; rel="next"',
    );
  });

  it('lead back to exactly the entries before this page, even if they are few', () => {
    expect(pageLinks({ ...page, query: {}, offset: 13 })).toBe('</things?limit=10&offset=3>; rel="prev"');
    expect(pageLinks({ ...page, query: {}, offset: 3 })).toBe('</things?limit=3&offset=0>; rel="prev"');
  });

  it('lead to the entry after the last one of a page that ends early', () => {
    expect(pageLinks({ ...page, query: {}, length: 4, hasNext: true })).toBe(
      '</things?limit=10&offset=4>; rel="next"',
    );
  });

  it('are absent if the header would be longer than 8,000 characters', () => {
    const bare = pageLinks({ ...page, query: { q: '' }, hasNext: true })?.length ?? 0;
    const fitting = 'x'.repeat(8000 - bare);

    expect(pageLinks({ ...page, query: { q: fitting }, hasNext: true })).toHaveLength(8000);
    expect(pageLinks({ ...page, query: { q: `${fitting}x` }, hasNext: true })).toBeUndefined();
  });

  it('are absent for a limit of 0, because the next page would be the same', () => {
    expect(pageLinks({ ...page, limit: 0, hasNext: true })).toBeUndefined();
  });
});
