import { describe, expect, it } from 'vitest';
import { shortened, wrapped, wrappedWhole } from '../../../../server/src/viz/layout/text-fit.ts';
import { isCovered, textWidth } from '../../../../server/src/viz/layout/text-width.ts';

describe('textWidth', () => {
  it.each([
    ['', 'regular', 0],
    ['A', 'regular', 667],
    ['Wi', 'regular', 944 + 222],
    ['A', 'bold', 722],
    ['Ж', 'regular', 923],
  ] as const)('has the metrics of Helvetica for "%s" in %s', (text, weight, width) => {
    expect(textWidth(text, 1000, weight)).toBeCloseTo(width, -0.5);
  });

  it('estimates what the font lacks by its script', () => {
    expect(textWidth('北京', 10)).toBe(20);
    expect(textWidth('e\u0301', 1000)).toBeCloseTo(556, -0.5);
    expect(textWidth('😀', 10)).toBeCloseTo(13.4);
    expect(textWidth('தமழ', 10)).toBeCloseTo(27);
  });

  it.each(['कु', 'ก้', 'ক্ষ', 'مَ'])('has no room for the marks on the letters of %s', (text) => {
    const letters = text.replace(/\p{Mn}/gu, '');

    expect(textWidth(text, 10)).toBe(textWidth(letters, 10));
  });
});

describe('isCovered', () => {
  it('tells whether the shipped font has all letters', () => {
    expect(['Größe', 'Москва', 'Αθήνα', 'חיפה'].every(isCovered)).toBe(true);
    expect(['北京', '😀', 'दिल्ली'].some(isCovered)).toBe(false);
  });
});

describe('shortened', () => {
  const style = { size: 10 };

  it('leaves text that fits', () => {
    expect(shortened('Hello', 100, style)).toBe('Hello');
  });

  it('ends with an ellipsis and fits', () => {
    const short = shortened('Department of Environmental Protection', 80, style);

    expect(short).toBe('Department of…');
    expect(textWidth(short, 10)).toBeLessThanOrEqual(80);
  });

  it('is empty when not even the ellipsis fits', () => {
    expect(shortened('Hello', 5, style)).toBe('');
  });

  it.each(['end', 'middle', 'start'] as const)('leaves no half of a character at the %s', (cut) => {
    for (let marks = 0; marks < 60; marks++) {
      const text = `x${'\u0301'.repeat(marks)}😀${'\u0301'.repeat(29 - (marks % 30))}W`.repeat(9);

      expect(shortened(text, 60, style, cut).isWellFormed()).toBe(true);
    }
  });

  it('does not cut through an emoji of several characters', () => {
    expect(shortened('👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧', 85, style)).toBe('👩‍👩‍👧…');
  });
});

describe('wrapped', () => {
  it('breaks between words and ends in an ellipsis on the last line', () => {
    expect(wrapped('one two three four five six', 50, 2, { size: 10 })).toEqual(['one two', 'three fou…']);
  });

  it('shortens a word that is wider than the line', () => {
    expect(wrapped('Internationalization of all', 50, 2, { size: 10 })).toEqual(['Internati…', 'of all']);
  });
});

describe('wrapped in Chinese', () => {
  it('breaks between letters', () => {
    expect(wrapped('广州市天河区珠江新城', 55, 3, { size: 10 })).toEqual(['广州市天河', '区珠江新城']);
  });
});

describe('wrappedWhole', () => {
  it('gives up where a word would have to be cut', () => {
    expect(wrappedWhole('Internationalization of all', 50, 3, { size: 10 })).toBeUndefined();
    expect(wrappedWhole('one two three four five six', 50, 2, { size: 10 })).toBeUndefined();
    expect(wrappedWhole('one two three four', 50, 2, { size: 10 })).toEqual(['one two', 'three four']);
  });
});
