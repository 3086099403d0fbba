import { describe, expect } from 'vitest';
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
