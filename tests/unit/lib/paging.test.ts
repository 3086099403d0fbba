import { describe, expect, it } from 'vitest';
import { pageLinks, pageOf, type PageRequest } from '../../../server/src/lib/paging.ts';

const types = ['timestamp', 'id'] as const;
const position = ['2026-11-21T09:30:00.000Z', '019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57'];

function request({ limit, offset }: PageRequest, filters: object = {}) {
  return { path: '/things', userId: 'alice', query: { ...filters, limit, offset } };
}

function links(page: PageRequest, { filters = {}, next = true } = {}): string | undefined {
  return pageLinks(request(page, filters), page, next ? position : undefined);
}

function cursorIn(link = ''): string {
  return new URLSearchParams(/\?([^>]*)/.exec(link)?.[1]).get('cursor') ?? '';
}

describe('pageOf', () => {
  it('reads at most 1000 entries', () => {
    expect(pageOf(request({ limit: 5000, offset: 7 }), types)).toEqual({ limit: 1000, offset: 7 });
  });

  it('reads the entries after the position of a cursor, whose filters may have another order', () => {
    const cursor = cursorIn(links({ limit: 10, offset: 0 }, { filters: { q: 'a', tag: 'b' } }));
    const query = { limit: 3, offset: 0, tag: 'b', q: 'a', cursor };

    const page = pageOf({ path: '/things', userId: 'alice', query }, types);

    expect(page).toEqual({ limit: 3, offset: 0, after: position });
  });

  it.each([
    ['that is not a date', ['soon', position[1] ?? '']],
    ['of a year that Postgres does not have', ['0000-01-01T00:00:00.000Z', position[1] ?? '']],
    ['that is not an id', [position[0] ?? '', 'x']],
    ['of another number of values', [position[0] ?? '']],
  ])('throws for a cursor with a correct checksum and a value %s', (_, forged) => {
    const list = request({ limit: 10, offset: 0 });
    const cursor = cursorIn(pageLinks(list, { limit: 10, offset: 0 }, forged));

    expect(() => pageOf({ ...list, query: { ...list.query, cursor } }, types)).toThrow(/"cursor" must be/);
  });
});

describe('pageLinks', () => {
  const page = { limit: 10, offset: 0 };

  it('are absent for a single page', () => {
    expect(links(page, { next: false })).toBeUndefined();
  });

  it('repeat the query, with lists as repeated parameters', () => {
    expect(links(page, { filters: { q: 'a b', status: ['x', 'y'] } })).toMatch(
      /^<\/things\?q=a\+b&status=x&status=y&limit=10&cursor=[\w-]+>; rel="next"$/,
    );
  });

  it('lead back to exactly the entries before this page, even if they are few', () => {
    expect(links({ limit: 10, offset: 13 }, { next: false })).toBe('</things?limit=10&offset=3>; rel="prev"');
    expect(links({ limit: 10, offset: 3 }, { next: false })).toBe('</things?limit=3&offset=0>; rel="prev"');
  });

  it('are absent if the header would be longer than 3,800 characters without the cursor', () => {
    const bare = links(page, { filters: { q: '' } });
    const fitting = 'x'.repeat(3800 - ((bare?.length ?? 0) - cursorIn(bare).length));

    expect(links(page, { filters: { q: fitting } })).toBeDefined();
    expect(links(page, { filters: { q: `${fitting}x` } })).toBeUndefined();
  });

  it('are absent for a limit of 0, because the next page would be the same', () => {
    expect(links({ limit: 0, offset: 0 })).toBeUndefined();
  });
});
