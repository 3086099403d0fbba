import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forAny } from '../for-any.ts';
import { spread } from '../../src/layout/labels/spread.ts';
import { distinctTexts, onOneLine, shortened, wrapped, wrappedWhole } from '../../src/text/text-fit.ts';
import { isCovered, textWidth } from '../../src/text/text-width.ts';

const style = { size: 10 };

describe('textWidth', () => {
  it.each([
    ['', 'regular', 0],
    ['A', 'regular', 667],
    ['Wi', 'regular', 944 + 222],
    ['A', 'bold', 722],
    ['Ж', 'regular', 923],
    ['e\u0301', 'regular', 556],
    // The font lacks these characters, so their widths are estimated by script.
    ['北京', 'regular', 2000],
    ['😀', 'regular', 1340],
    ['தமழ', 'regular', 2700],
  ] as const)('of "%s" in %s is about %d thousandths of an em', (text, weight, width) => {
    expect(textWidth(text, 1000, weight)).toBeCloseTo(width, -0.5);
  });

  it.each(['कु', 'ก้', 'ক্ষ', 'مَ'])('ignores the marks on the letters of %s', (text) => {
    expect(textWidth(text, 10)).toBe(textWidth(text.replace(/\p{Mn}/gu, ''), 10));
  });
});

it('isCovered is true if the shipped font has all letters', () => {
  expect(['Größe', 'Москва', 'Αθήνα', 'חיפה'].every(isCovered)).toBe(true);
  expect(['北京', '😀', 'दिल्ली'].some(isCovered)).toBe(false);
});

describe('shortened', () => {
  it.each([
    ['leaves text that fits', 'Hello', 100, 'Hello'],
    ['ends with an ellipsis', 'Department of Environmental Protection', 80, 'Department of…'],
    ['is empty when not even the ellipsis fits', 'Hello', 5, ''],
    ['does not cut through an emoji of several characters', '👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧', 85, '👩‍👩‍👧…'],
  ])('%s', (_promise, text, width, short) => {
    expect(shortened(text, width, style)).toBe(short);
    expect(textWidth(short, 10)).toBeLessThanOrEqual(width);
  });

  it.each([1, 0.5])('cuts no character in half, with %d of the text before the ellipsis', (share) => {
    for (let marks = 0; marks < 60; marks++) {
      const text = `x${'\u0301'.repeat(marks)}😀${'\u0301'.repeat(29 - (marks % 30))}W`.repeat(9);

      expect(shortened(text, 60, style, share).isWellFormed()).toBe(true);
    }
  });
});

describe('wrapped', () => {
  it.each<[string, string, number, number, string[]]>([
    ['between words, with an ellipsis', 'one two three four five six', 50, 2, ['one two', 'three fou…']],
    ['at a word that must be shortened', 'Internationalization of all', 50, 2, ['Internati…', 'of all']],
    ['between Chinese letters', '广州市天河区珠江新城', 55, 3, ['广州市天河', '区珠江新城']],
    ['at line breaks', 'One\ntwo', 45, 9, ['One', 'two']],
    ['at soft hyphens', 'Donau\u00addampf\u00adschiff', 45, 9, ['Donau-', 'dampf-', 'schiff']],
    ['at zero-width spaces', 'alphabet\u200bbetabet\u200bgamma', 45, 9, ['alphabet', 'betabet', 'gamma']],
    ['between Thai words', 'รายงานประจำปี', 45, 9, ['รายงาน', 'ประจำปี']],
  ])('breaks %s', (_where, text, width, count, lines) => {
    expect(wrapped(text, width, count, style).map(onOneLine)).toEqual(lines);
  });

  it('breaks no text before a closing mark or small kana, or after an opening bracket or a no-break space', () => {
    const words = ['ラーメン', 'A', '12', '“京', '(京', '￥5', 'A(京', '«\u00a0A', 'กรุงเทพ', '“ไทย', 'ភាសា'];
    const marks = Array.from('、。」）)”ッぁー・ｯｰﾞ〜℃%!ៗๆ', (mark) => `京${mark}`);
    const parts = [...words, ...marks, '東 ', 'A\u00a0»', 'A » ', '𠮷'];
    forAny(1000, [fc.array(fc.constantFrom(...parts)), fc.integer({ min: 70, max: 120 })], (some, width) => {
      const lines = wrapped(`東${some.join('')}`, width, 99, style);

      expect(lines.slice(1).filter((line) => /^[、。」）)”ッぁー・ｯｰﾞ〜℃%!ៗๆ»]/.test(line))).toEqual([]);
      expect(lines.slice(0, -1).filter((line) => /[“(￥«]$/.test(line))).toEqual([]);
    });
  });

  it('replaces line breaks by spaces if there are too many', () => {
    expect(wrapped('a\n'.repeat(5000), 30, 1, style)).toEqual(['a a…']);
  });

  it('gives up if the text must be whole and does not fit', () => {
    expect(wrappedWhole('Internationalization of all', 50, 3, style)).toBeUndefined();
    expect(wrappedWhole('one two three four five six', 50, 2, style)).toBeUndefined();
    expect(wrappedWhole('one two three four', 50, 2, style)).toEqual(['one two', 'three four']);
  });
});

describe('distinctTexts', () => {
  const root = '/api/v1/customers';

  it.each<[string, string[], string[], number?]>([
    [
      'shortens at the end if the texts stay different',
      ['Environment and energy', 'Research and energy'],
      ['Environme…', 'Research…'],
    ],
    [
      'shortens in the middle if only the ends differ',
      [`${root}/orders`, `${root}/invoices`],
      ['/api/v…rders', '/api/v…oices'],
    ],
    ['shortens equal texts alike', ['Environment', 'Environment'], ['Enviro…', 'Enviro…'], 40],
    [
      'adds numbers where different texts would look alike',
      ['aaaaaaaaabaaaaaaaaa', 'aaaaaaaaacaaaaaaaaa'],
      ['aaa… 1', 'aaa… 2'],
      40,
    ],
  ])('%s', (_promise, texts, short, width = 60) => {
    expect(distinctTexts(texts, width, style)).toEqual(short);
  });
});

describe('spread', () => {
  const target = fc.record({
    at: fc.double({ min: -50, max: 150, noNaN: true }),
    length: fc.constantFrom(4, 8, 12),
  });
  const targets = fc.array(target, { minLength: 1, maxLength: 8 });
  const gaps = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 9, maxLength: 9 });
  const displacement = (places: readonly number[], some: readonly { at: number }[]): number =>
    places.reduce((sum, place, i) => sum + (place - (some[i]?.at ?? 0)) ** 2, 0);

  it('keeps labels in order, apart and within the bounds, and displaces them as little as possible', () => {
    forAny(100, [targets, gaps], (some, shares) => {
      const places = spread(some, 0, 100) ?? [];
      const edges = places.flatMap((place, i) => {
        const half = (some[i]?.length ?? 0) / 2;
        return [place - half, place + half];
      });
      const free = 100 - some.reduce((sum, { length }) => sum + length, 0);
      const total = shares.slice(0, some.length + 1).reduce((sum, share) => sum + share, 1e-9);
      let end = 0;
      const others = some.map(({ length }, i) => {
        end += ((shares[i] ?? 0) / total) * free + length;
        return end - length / 2;
      });
      const moved = places.map((at, i) => ({ at, length: some[i]?.length ?? 0 }));

      expect(places).toHaveLength(some.length);
      expect([0, ...edges, 100].every((edge, i, all) => edge >= (all[i - 1] ?? 0) - 1e-6)).toBe(true);
      expect(displacement(places, some)).toBeLessThanOrEqual(displacement(others, some) + 1e-6);
      expect(spread(moved, 0, 100)).toEqual(places.map((place) => expect.closeTo(place) as number));
    });
  });

  it('has no places where there is not enough room', () => {
    expect(spread([{ at: 5, length: 11 }], 0, 10)).toBeUndefined();
  });
});
