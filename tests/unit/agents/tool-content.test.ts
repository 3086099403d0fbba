import { describe, expect, it } from 'vitest';
import { contentBytesMax, contentOf, cutText } from '../../../server/src/agents/skills/tool-content.ts';

function read(content: string): { note?: string; tasks?: unknown[]; task?: { description: string } } {
  return JSON.parse(content) as ReturnType<typeof read>;
}

describe('contentOf', () => {
  it('is the whole answer where that fits', () => {
    const answer = { task: { description: 'x'.repeat(60_000), due_date: null } };

    expect(contentOf(answer)).toBe(JSON.stringify(answer));
  });

  it('cuts long texts and says how long they are', () => {
    const content = contentOf({ task: { title: 'Short', description: '長'.repeat(65_536) } });

    expect(Buffer.byteLength(content)).toBeLessThanOrEqual(contentBytesMax);
    expect(content).toContain('"title":"Short"');
    expect(read(content).task?.description).toMatch(/^長+… \[cut: the whole text has 65536 characters\]$/);
  });

  it('leaves out the last entries of a list and says how to ask for them', () => {
    const tasks = Array.from({ length: 1000 }, (_, n) => ({ id: n, title: 'x'.repeat(200) }));
    const content = contentOf({ count: 2500, tasks });

    const { tasks: kept = [], note } = read(content);
    expect(Buffer.byteLength(content)).toBeLessThanOrEqual(contentBytesMax);
    expect(kept).toEqual(tasks.slice(0, kept.length));
    expect(kept.length).toBeGreaterThan(200);
    expect(note).toBe(
      `Only the first ${kept.length} of 1000 entries fit here. Ask for fewer with "limit", and for those that follow by adding ${kept.length} to "offset".`,
    );
  });

  it('fits whatever a task and its comments may hold', () => {
    const text = '\u0001'.repeat(65_536);
    const answers = [
      { task: { title: text, description: text, metadata: text, tags: text } },
      { comments: Array.from({ length: 100 }, () => ({ body: text })) },
    ];

    for (const answer of answers) {
      expect(Buffer.byteLength(contentOf(answer))).toBeLessThanOrEqual(contentBytesMax);
    }
  });
});

describe('cutText', () => {
  it('parts no pair of surrogates', () => {
    expect(cutText('a😀b', 2)).toBe('a… [cut: the whole text has 4 characters]');
    expect(cutText('a😀b', 3)).toBe('a😀… [cut: the whole text has 4 characters]');
    expect(cutText('a😀b', 4)).toBe('a😀b');
  });
});
