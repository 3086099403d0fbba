import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { chromiumMissing, chromiumPath, launchChromium } from '../../../scripts/chromium.ts';
import type { Schemas } from '../../../server/src/contract/operation.ts';
import { sharedServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';

type Theme = Schemas['ChartRequest']['theme'];

const data = [
  { label: 'todo', value: 7 },
  { label: 'doing', value: 3 },
  { label: 'done', value: 12 },
];
const charts = [
  { data, title: 'Tasks by status' },
  { data, title: 'Shares', chart_type: 'pie' },
  {
    series: [
      { name: 'open', data },
      { name: 'closed', data: data.toReversed() },
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

async function pictures(theme: Theme): Promise<string> {
  const alice = await sharedServer().as('alice');
  const responses = charts.map((body) => alice.ok('renderSvg', { body: { ...body, theme } }));
  return (await Promise.all(responses)).map(({ body }) => body.svg).join('');
}
