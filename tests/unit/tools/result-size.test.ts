import { expect, it } from 'vitest';
import {
  contentBytesMax,
  countFitting,
  truncateText,
  withShortTexts,
} from '../../../server/src/tools/result-size.ts';

const longest = '\u0001'.repeat(65_536);

function sizeOf(result: object): number {
  return Buffer.byteLength(JSON.stringify(result));
}

it('withShortTexts makes the largest task fit', () => {
  const task = { title: longest, description: longest, metadata: longest, tags: longest };

  expect(sizeOf(withShortTexts({ task }))).toBeLessThanOrEqual(contentBytesMax);
});

it('countFitting leaves at least one of the longest comments, which fits once it is truncated', () => {
  const { comments } = withShortTexts({ comments: Array.from({ length: 100 }, () => ({ body: longest })) });
  const count = countFitting(comments);

  expect(count).toBeGreaterThanOrEqual(1);
  expect(sizeOf({ comments: comments.slice(0, count) })).toBeLessThanOrEqual(contentBytesMax);
});

it('truncateText does not split a surrogate pair', () => {
  expect(truncateText('a😀b', 2)).toBe('a… [cut: the whole text has 4 characters]');
  expect(truncateText('a😀b', 3)).toBe('a😀… [cut: the whole text has 4 characters]');
  expect(truncateText('a😀b', 4)).toBe('a😀b');
});
