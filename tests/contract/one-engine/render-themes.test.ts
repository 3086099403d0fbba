import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { chromiumMissing, chromiumPath, launchChromium } from '../../../scripts/chromium.ts';
import type { Schemas } from '../../../server/src/contract/operation.ts';
import { pageOf, pdfOf, pixelsOf, pngOf, svgOf } from '../../support/charts.ts';
import { sharedServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';
import { elementsOf } from '../../../server/charts/tests/svg.ts';

const data = Object.entries({ todo: 7, done: 12 }).map(([label, value]) => ({ label, value }));

const alice = await sharedServer().as('alice');

describe.each([
  ['the dark theme', { theme: 'dark' }, '#14181f', [20, 24, 31, 255]],
  ['a background of its own', { background: 'navy' }, '#000080', [0, 0, 128, 255]],
  ['a translucent background', { background: '#f00c' }, '#ff0000', [255, 0, 0, 204]],
  ['a transparent background', { background: 'transparent' }, 'none', [0, 0, 0, 0]],
])('with %s', (_name, looks, fill, channels) => {
  // `y_min` shows the axis, whose grid must be behind the bars.
  const body = { data, y_min: 0, ...looks };

  spec('renderSvg', 200, 'paints the background first', async () => {
    const paths = elementsOf(await svgOf(alice, body)).filter(({ name }) => name === 'path');

    expect(paths[0]?.attributes['fill']).toBe(fill);
  });

  spec('renderPng', 200, 'has pixels of the background in its corners', async () => {
    const pixels = (await pixelsOf(alice, body)).data;

    expect([...pixels.subarray(0, 4), ...pixels.subarray(-4)]).toEqual([...channels, ...channels]);
  });

  spec('renderPdf', 200, 'is a page with the words as text', async () => {
    expect((await pageOf(alice, body)).texts).toEqual(expect.arrayContaining(['todo', 'done']));
  });
});

describe('with the theme auto', () => {
  const auto = { data, theme: 'auto' };

  spec('renderSvg', 200, 'has the colours of both themes', async () => {
    const svg = await svgOf(alice, auto);

    const style = elementsOf(svg).find(({ name }) => name === 'style')?.text;
    expect(style).toMatch(/^@media \(prefers-color-scheme:dark\)\{.*\{fill:#14181f\}/);
    expect(svg).toContain('fill="#fff"');
  });

  spec('renderPng', 200, 'is light', async () => {
    expect(await pngOf(alice, auto)).toEqual(await pngOf(alice, { data }));
  });

  spec('renderPdf', 200, 'is light', async () => {
    expect(await pdfOf(alice, auto)).toEqual(await pdfOf(alice, { data }));
  });
});

describe('with a transparent background', () => {
  const light = { data, background: 'transparent' };
  const dark = { ...light, theme: 'dark' };

  spec('renderPng', 200, 'has light text in the dark theme', async () => {
    expect(await pngOf(alice, dark)).not.toEqual(await pngOf(alice, light));
  });

  spec('renderPdf', 200, 'has dark text in the dark theme too, because paper is white', async () => {
    expect(await pdfOf(alice, dark)).toEqual(await pdfOf(alice, light));
  });

  spec('renderPdf', 200, 'fills no rectangle of the size of the page', async () => {
    expect(await pdfOf(alice, light)).toEqual(await pdfOf(alice, { data }));
  });
});

const threeTasks = [
  { label: 'todo', value: 7 },
  { label: 'doing', value: 3 },
  { label: 'done', value: 12 },
];
const charts = [
  { data: threeTasks, title: 'Tasks by status' },
  { data: threeTasks, title: 'Shares', chart_type: 'pie' },
  {
    series: [
      { name: 'open', data: threeTasks },
      { name: 'closed', data: threeTasks.toReversed() },
    ],
    chart_type: 'line',
  },
] as const;

if (chromiumPath === undefined) console.warn(chromiumMissing);

describe.skipIf(chromiumPath === undefined)('several pictures with the theme auto in one page', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchChromium();
  });

  afterAll(() => browser.close());

  for (const scheme of ['light', 'dark'] as const) {
    spec('renderSvg', 200, `have the colours of the ${scheme} theme for readers who prefer it`, async () => {
      const page = await browser.newPage({ colorScheme: scheme, viewport: { width: 1640, height: 1900 } });
      await page.setContent(
        `<body><p>Text of the page</p>${(await pictures('auto')) + (await pictures(scheme))}`,
      );
      if (process.env['SCREENSHOT'] !== undefined)
        await page.screenshot({ path: `${process.env['SCREENSHOT']}-${scheme}.png` });

      const colors = await page.evaluate<string[][]>(
        `[...document.querySelectorAll('svg')].map((svg) => [...svg.querySelectorAll('*:not(style)')].map((element) => {
          const { fill, stroke, fillOpacity, strokeOpacity } = getComputedStyle(element);
          return [element.tagName, fill, fillOpacity, stroke, strokeOpacity].join(' ');
        }))`,
      );
      await page.close();

      expect(colors).toHaveLength(2 * charts.length);
      expect(colors.slice(0, charts.length)).toEqual(colors.slice(charts.length));
    });
  }
});

async function pictures(theme: Schemas['ChartRequest']['theme']): Promise<string> {
  const responses = charts.map((body) => alice.ok('renderSvg', { body: { ...body, theme } }));
  return (await Promise.all(responses)).map(({ body }) => body.svg).join('');
}
