import { expect, it } from 'vitest';
import { searchPattern } from '../../../server/src/tasks/search-pattern.ts';

it('searchPattern finds every letter of Unicode by its upper and its lower case', () => {
  const missed: string[] = [];
  for (let codePoint = 0; codePoint < 0x1_f000; codePoint++) {
    const char = String.fromCodePoint(codePoint);
    const lower = char.toLowerCase();
    const forms = [lower, char.toUpperCase(), lower.toUpperCase()].filter(
      (form) => Array.from(form).length === 1,
    );
    for (const form of forms)
      if (form !== char && !(searchPattern(form).includes(char) && searchPattern(char).includes(form)))
        missed.push(`${char} ${form}`);
  }

  expect(missed).toEqual([]);
});
