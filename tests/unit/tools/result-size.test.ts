import { expect, it } from 'vitest';
import { contentBytesMax, truncateText, withShortTexts } from '../../../server/src/tools/result-size.ts';

it('withShortTexts makes a page of the longest comments fit, and keeps its cursor', () => {
  const comments = Array.from({ length: 20 }, () => ({ body: '\u0001'.repeat(65_536) }));
  const page = withShortTexts({ comments, next_cursor: 'c'.repeat(5000) });

  expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThanOrEqual(contentBytesMax);
  expect(page.next_cursor).toHaveLength(5000);
});

it('truncateText does not split a surrogate pair', () => {
  expect(truncateText('a😀b', 2)).toBe('a… [cut: the whole text has 4 characters]');
  expect(truncateText('a😀b', 3)).toBe('a😀… [cut: the whole text has 4 characters]');
  expect(truncateText('a😀b', 4)).toBe('a😀b');
});
