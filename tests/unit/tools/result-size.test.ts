import { describe, expect, it } from 'vitest';
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

describe('withShortTexts', () => {
  it('returns a result that fits as it is', () => {
    const result = { task: { description: 'x'.repeat(60_000), due_date: null } };

    expect(withShortTexts(result)).toBe(result);
  });

  it('truncates long texts and notes their lengths', () => {
    const { task } = withShortTexts({ task: { title: 'Short', description: '長'.repeat(65_536) } });

    expect(sizeOf({ task })).toBeLessThanOrEqual(contentBytesMax);
    expect(task.title).toBe('Short');
    expect(task.description).toMatch(/^長+… \[cut: the whole text has 65536 characters\]$/);
  });

  it('makes the largest task fit', () => {
    const task = { title: longest, description: longest, metadata: longest, tags: longest };

    expect(sizeOf(withShortTexts({ task }))).toBeLessThanOrEqual(contentBytesMax);
  });
});

describe('countFitting', () => {
  it('counts the first entries of a list that fit into a result', () => {
    const tasks = Array.from({ length: 1000 }, (_, n) => ({ id: n, title: 'x'.repeat(200) }));
    const count = countFitting(tasks);

    expect(sizeOf({ count: 2500, tasks: tasks.slice(0, count) })).toBeLessThanOrEqual(contentBytesMax);
    expect(count).toBeGreaterThan(200);
    expect(countFitting(tasks.slice(0, 3))).toBe(3);
  });

  it('leaves at least one of the longest comments, which fits once it is truncated', () => {
    const { comments } = withShortTexts({ comments: Array.from({ length: 100 }, () => ({ body: longest })) });
    const count = countFitting(comments);

    expect(count).toBeGreaterThanOrEqual(1);
    expect(sizeOf({ comments: comments.slice(0, count) })).toBeLessThanOrEqual(contentBytesMax);
  });
});

describe('truncateText', () => {
  it('does not split a surrogate pair', () => {
    expect(truncateText('a😀b', 2)).toBe('a… [cut: the whole text has 4 characters]');
    expect(truncateText('a😀b', 3)).toBe('a😀… [cut: the whole text has 4 characters]');
    expect(truncateText('a😀b', 4)).toBe('a😀b');
  });
});
