import { describe, expect } from 'vitest';
import { pdfOf, pixelsOf, pngOf } from '../../support/charts.ts';
import { sharedServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';

const data = Object.entries({ todo: 7, done: 12 }).map(([label, value]) => ({ label, value }));

const alice = await sharedServer().as('alice');

// server/charts/tests has the pictures of themes and backgrounds as SVG.
describe.each([
  ['the dark theme', { theme: 'dark' }, [20, 24, 31, 255]],
  ['a background of its own', { background: 'navy' }, [0, 0, 128, 255]],
  ['a translucent background', { background: '#f00c' }, [255, 0, 0, 204]],
  ['a transparent background', { background: 'transparent' }, [0, 0, 0, 0]],
])('with %s', (_name, looks, channels) => {
  spec('renderPng', 200, 'has pixels of the background in its corners', async () => {
    const pixels = (await pixelsOf(alice, { data, ...looks })).data;

    expect([...pixels.subarray(0, 4), ...pixels.subarray(-4)]).toEqual([...channels, ...channels]);
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
    expect(await pdfOf(alice, light)).toEqual(await pdfOf(alice, { data }));
  });
});

spec('renderPng', 200, 'with the theme auto is light, and so is a PDF', async () => {
  const auto = { data, theme: 'auto' };

  expect(await pngOf(alice, auto)).toEqual(await pngOf(alice, { data }));
  expect(await pdfOf(alice, auto)).toEqual(await pdfOf(alice, { data }));
});
