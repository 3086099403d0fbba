import { range } from 'd3-array';
import { describe, expect, it } from 'vitest';
import { chartFrom } from '../../src/request/chart.ts';
import { cases, requestOf } from '../../gallery/cases.ts';
import { area, bar, everyKind, horizontal, line, pie, size, type Request } from '../../gallery/charts.ts';
import {
  assertWords,
  drawn,
  findText,
  named,
  points,
  sceneOf,
  seriesOf,
  textsOf,
  wordsIn,
} from './shapes.ts';

const captions = { subtitle: 'In thousands of euros', source: 'Source: annual report, 2026' };
const axisTitles = { x_title: 'Month', y_title: 'Revenue' };
const all = [...everyKind, horizontal].map((draw) => draw('Sums', points(1, 2)));

it('a title has at most two lines of similar width, and ends with an ellipsis if it is longer', () => {
  const title = 'Requests by route and by the service that answers them, last week';
  const linesOf = (request: Request): string[] =>
    drawn('texts', { data: named('a'), ...request })[0]?.texts.map(({ text }) => text) ?? [];

  expect(linesOf({ ...size(400, 300), title })).toEqual([
    'Requests by route and by the',
    'service that answers them, last week',
  ]);
  expect(linesOf({ title: 'word '.repeat(80) })).toEqual([expect.anything(), expect.stringMatching(/…$/)]);
});

it.each([
  [undefined, ''],
  [null, ''],
  ['  ', ''],
  [' a\tb\r\n\u0085c\u007f d\u00a0e\u{1fffe}f\u2028g ', 'a b\nc d\u00a0e f\ng'],
  ['e\u0301', '\u00e9'],
  [`x${'\u0301'.repeat(400)}y`, `x${'\u0301'.repeat(8)}y`],
  ['\u202e51 \u2066:evil\u2069', '51 :evil'],
])('the title %j becomes %j, without anything that would disturb other texts', (title, text) => {
  expect(chartFrom(requestOf(title === undefined ? {} : { title })).title).toBe(text);
});

it.each([
  ['end', ['ar', 'ckb', 'fa-AF', 'he', 'pa-PK', 'ug', 'uz-Arab', 'yi']],
  ['start', ['ar-Latn', 'en', 'he-Latn', 'pa', 'uz']],
])('a title begins at the %s of the picture in %j', (anchor, locales) => {
  for (const locale of locales)
    expect(drawn('texts', { locale, title: 'T', data: points(1) })[0]?.anchor, locale).toBe(anchor);
});

describe('the subtitle and the source', () => {
  it.each(all)('stand under the title and at the bottom: %j', (request) => {
    const scene = sceneOf({ ...request, ...captions });
    const heights = textsOf(scene).map(({ y }) => y);
    const [title, subtitle, source] = ['Sums', captions.subtitle, captions.source].map(
      (word) => findText(scene, word).y,
    );

    expect(heights.toSorted((a, b) => a - b).slice(0, 2)).toEqual([title, subtitle]);
    expect(Math.max(...heights)).toBe(source);
  });

  it('are shown without a title, and with "No data"', () => {
    expect(wordsIn({ data: points(1), ...captions })[0]).toBe(captions.subtitle);
    expect(wordsIn({ data: [], ...captions })).toEqual([captions.subtitle, captions.source, 'No data']);
  });

  it('have at most two lines, and none in a small picture', () => {
    const long = 'words that go on '.repeat(29).trim();
    const words = wordsIn({ data: points(1), subtitle: long, source: long });

    expect(words.filter((word) => word.includes('words that'))).toHaveLength(4);
    assertWords({ ...size(150, 90), data: points(1), ...captions }, '', Object.values(captions).join(' | '));
  });
});

describe('axis titles', () => {
  it.each([
    [bar, undefined, 90],
    [line, undefined, 90],
    [horizontal, 90, undefined],
  ])('stand at the axes of %o', (draw, angleOfLabels, angleOfValues) => {
    const scene = sceneOf(draw(points(1, 2), axisTitles));
    const [month, revenue] = ['Month', 'Revenue'].map((word) => findText(scene, word));

    expect([month?.angle, revenue?.angle]).toEqual([angleOfLabels, angleOfValues]);
    expect([month?.anchor, revenue?.anchor]).toEqual(['middle', 'middle']);
  });

  it.each([pie(points(1, 2)), bar(points(1, 2), size(130, 90))])(
    'are left out of a pie, and of a picture too small for them: %j',
    (request) => {
      assertWords({ ...request, ...axisTitles }, '', 'Month | Revenue');
    },
  );

  it.each([
    [600, 250, 'Median response time, ms'],
    [300, 200, 'Median response time, ms'],
    [800, 220, 'Share of all answers'],
  ])('are whole in %i by %i pixels: %s', (width, height, title) => {
    assertWords(line(points(1, 5, 3), { width, height, y_title: title }), title);
  });

  it('are shown one without the other if only one has room', () => {
    assertWords(bar(points(1, 2), { ...size(180, 180), ...axisTitles }), 'Month', 'Revenue');
    assertWords(bar('Sales', points(1, 2), { ...size(240, 160), ...captions, y_title: 'Count' }), 'Count');
  });
});

describe('the legend of series', () => {
  it('shows the colours of lines', () => {
    const { series = [], ...rest } = cases['series, eight lines of 100'] ?? {};
    const long = { ...rest, series: series.map(({ name, data }) => ({ name: name.padEnd(60, '.'), data })) };

    expect(drawn('bars', long).map(({ fill }) => fill)).toEqual(
      drawn('path', long).map(({ stroke }) => stroke),
    );
  });

  it('has whole names in rows, one after the other, in a third of the height', () => {
    const names = ['Lentokonesuihkuturbiinimoottori', 'Helsinki', 'Pohjois-Pohjanmaa', 'Varsinais-Suomi'];
    const series = names.map((name) => ({ name, data: points(1, 2) }));

    assertWords(bar(series, size(240, 200)), names.join(' | '));
    assertWords(bar(series, size(240, 160)), '', names[0]);
  });

  it('is at the right in a right-to-left language', () => {
    const x = (locale: string): number => findText(sceneOf(bar(seriesOf([1], [2]), { locale })), 'B').x;

    expect([x('en') < 200, x('ar') > 600]).toEqual([true, true]);
  });

  it('is replaced by names at the ends of lines if there is room', () => {
    const request = line(seriesOf([0, 1, 2], [2, 1, 0]));
    const ends = drawn('path', request).map(({ points: path }) => path.at(-1) ?? 0);

    ends.forEach((end, i) => {
      expect(Math.abs(findText(sceneOf(request), i === 0 ? 'A' : 'B').y - end)).toBeLessThan(8);
    });
  });
});

const descriptions: Readonly<Record<string, [request: Request, description: unknown]>> = {
  'leaves out values that are null': [{ data: points(1, 2, null) }, 'Bar chart. a: 1; b: 2.'],
  'names areas': [area(seriesOf([1], [2])), 'Area chart of 2 series. A: a: 1. B: a: 2.'],
  'has the captions': [
    { data: points(1), ...captions },
    'In thousands of euros. Bar chart. a: 1. Source: annual report, 2026.',
  ],
  'has reference lines': [
    { data: points(10, 20), lines: [{ value: 15, label: 'Target' }, { value: 3 }], unit: ' kg' },
    'Bar chart. a: 10 kg; b: 20 kg. Target: 15 kg; 3 kg.',
  ],
  'has the format of values': [{ data: points(0.2, 0.55), format: 'percent' }, 'Bar chart. a: 20%; b: 55%.'],
  'has full values': [
    { data: points(1_234_567.25, 1e300), locale: 'de', unit: ' km' },
    'Balkendiagramm. a: 1.234.567,25 km; b: 1e300 km.',
  ],
  'has the data of several series': [
    cases['series, different labels'] ?? {},
    expect.stringMatching(/^Bar chart of 2 series\. Plan: Jan: 3; .*\. Actual: Jan: 2; Feb: 6; Apr: 5; /),
  ],
  'sums up many points of several series': [
    cases['series, eight lines of 100'] ?? {},
    expect.stringMatching(/^Line chart of 8 series by 100 labels\. Lowest: \w+, Item \d+: /),
  ],
  'sums up many points of one series': [
    cases['line, 1,000'] ?? {},
    expect.stringMatching(/^Line chart of 1,000 points\. Lowest: Item \d+: 30\.\d\. Highest: Item \d+: 8\d/),
  ],
  'sums up stacks by the sums that they have': [
    bar(seriesOf([null, ...range(5, 26)], [null, ...range(5, 26).map(() => -1)]), { stacked: true }),
    'Bar chart of 2 series by 22 labels. Lowest: b: 4. Highest: v: 24.',
  ],
};

it.each(Object.entries(descriptions))('the description %s', (_promise, [request, description]) => {
  expect(sceneOf(request).description).toEqual(description);
});
