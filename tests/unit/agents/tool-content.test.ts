import { describe, expect, it } from 'vitest';
import {
  contentBytesMax,
  toolContent,
  truncateText,
} from '../../../server/src/agents/skills/tool-content.ts';

function read(content: string): { note?: string; tasks?: unknown[]; task?: { description: string } } {
  return JSON.parse(content) as ReturnType<typeof read>;
}

describe('toolContent', () => {
  it('is the whole result if it fits', () => {
    const result = { task: { description: 'x'.repeat(60_000), due_date: null } };

    expect(toolContent(result)).toBe(JSON.stringify(result));
  });

  it('truncates long texts and notes their lengths', () => {
    const content = toolContent({ task: { title: 'Short', description: '長'.repeat(65_536) } });

    expect(Buffer.byteLength(content)).toBeLessThanOrEqual(contentBytesMax);
    expect(content).toContain('"title":"Short"');
    expect(read(content).task?.description).toMatch(/^長+… \[cut: the whole text has 65536 characters\]$/);
  });

  it('drops the last entries of a list and notes how to request them', () => {
    const tasks = Array.from({ length: 1000 }, (_, n) => ({ id: n, title: 'x'.repeat(200) }));
    const content = toolContent({ count: 2500, tasks });

    const { tasks: kept = [], note } = read(content);
    expect(Buffer.byteLength(content)).toBeLessThanOrEqual(contentBytesMax);
    expect(kept).toEqual(tasks.slice(0, kept.length));
    expect(kept.length).toBeGreaterThan(200);
    expect(note).toBe(
      `Only the first ${kept.length} of 1000 entries fit here. Ask for fewer with "limit", and for those that follow by adding ${kept.length} to "offset".`,
    );
  });

  it('fits for the largest task and the longest comments', () => {
    const text = '\u0001'.repeat(65_536);
    const results = [
      { task: { title: text, description: text, metadata: text, tags: text } },
      { comments: Array.from({ length: 100 }, () => ({ body: text })) },
    ];

    for (const result of results) {
      expect(Buffer.byteLength(toolContent(result))).toBeLessThanOrEqual(contentBytesMax);
    }
  });
});

describe('truncateText', () => {
  it('does not split a surrogate pair', () => {
    expect(truncateText('a😀b', 2)).toBe('a… [cut: the whole text has 4 characters]');
    expect(truncateText('a😀b', 3)).toBe('a😀… [cut: the whole text has 4 characters]');
    expect(truncateText('a😀b', 4)).toBe('a😀b');
  });
});
