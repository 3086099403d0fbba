import { PNG } from 'pngjs';
import { describe, expect } from 'vitest';
import { sharedServer } from '../support/server.ts';
import { spec } from '../support/spec.ts';
import { factsOf } from '../unit/viz/pdf.ts';
import { elementsOf } from '../unit/viz/svg.ts';

const data = [
  { label: 'todo', value: 7 },
  { label: 'done', value: 12 },
];

const alice = await sharedServer().as('alice');

describe.each([
  ['the dark theme', { theme: 'dark' }, '#14181f', [20, 24, 31, 255]],
  ['a background of its own', { background: 'navy' }, '#000080', [0, 0, 128, 255]],
  ['a translucent background', { background: '#f00c' }, '#ff0000', [255, 0, 0, 204]],
] as const)('with %s', (_name, looks, fill, channels) => {
  spec('renderSvg', 200, 'paints the background first', async () => {
    const { svg } = (await alice.ok('renderSvg', { body: { data, ...looks } })).body;

    expect(elementsOf(svg).find(({ name }) => name === 'path')?.attributes['fill']).toBe(fill);
  });

  spec('renderPng', 200, 'has pixels of the background in its corners', async () => {
    const { png_base64: base64 } = (await alice.ok('renderPng', { body: { data, ...looks } })).body;

    const png = PNG.sync.read(Buffer.from(base64, 'base64'));
    expect([...png.data.subarray(0, 4)]).toEqual(channels);
    expect([...png.data.subarray(-4)]).toEqual(channels);
  });

  spec('renderPdf', 200, 'is a page with the words as text', async () => {
    const { pdf_base64: base64 } = (await alice.ok('renderPdf', { body: { data, ...looks } })).body;

    expect((await factsOf(Buffer.from(base64, 'base64'))).texts).toEqual(
      expect.arrayContaining(['todo', 'done']),
    );
  });
});

describe('with the theme auto', () => {
  const body = { data, theme: 'auto' } as const;

  spec('renderSvg', 200, 'has the colours of both themes', async () => {
    const { svg } = (await alice.ok('renderSvg', { body })).body;

    const style = elementsOf(svg).find(({ name }) => name === 'style')?.text;
    expect(style).toMatch(/^@media \(prefers-color-scheme:dark\)\{.*\{fill:#14181f\}/);
    expect(svg).toContain('fill="#fff"');
  });

  spec('renderPng', 200, 'is light', async () => {
    const [auto, light] = await Promise.all([
      alice.ok('renderPng', { body }),
      alice.ok('renderPng', { body: { data } }),
    ]);

    expect(auto.body.png_base64).toBe(light.body.png_base64);
  });

  spec('renderPdf', 200, 'is light', async () => {
    const [auto, light] = await Promise.all([
      alice.ok('renderPdf', { body }),
      alice.ok('renderPdf', { body: { data } }),
    ]);

    expect(auto.body.pdf_base64).toBe(light.body.pdf_base64);
  });
});

describe('with a transparent background', () => {
  const body = { data, background: 'transparent' };

  spec('renderSvg', 200, 'paints no background', async () => {
    const { svg } = (await alice.ok('renderSvg', { body })).body;

    expect(elementsOf(svg).find(({ name }) => name === 'path')?.attributes['fill']).toBe('none');
  });

  spec('renderPng', 200, 'has transparent pixels around the chart', async () => {
    const { png_base64: base64 } = (await alice.ok('renderPng', { body })).body;

    expect(PNG.sync.read(Buffer.from(base64, 'base64')).data[3]).toBe(0);
  });

  spec('renderPdf', 200, 'has dark text in the dark theme too, because paper is white', async () => {
    const { pdf_base64: dark } = (await alice.ok('renderPdf', { body: { ...body, theme: 'dark' } })).body;
    const { pdf_base64: light } = (await alice.ok('renderPdf', { body })).body;

    expect(dark).toBe(light);
  });

  spec('renderPng', 200, 'has light text in the dark theme', async () => {
    const { png_base64: dark } = (await alice.ok('renderPng', { body: { ...body, theme: 'dark' } })).body;
    const { png_base64: light } = (await alice.ok('renderPng', { body })).body;

    expect(dark).not.toBe(light);
  });

  spec('renderPdf', 200, 'fills no rectangle of the size of the page', async () => {
    const { pdf_base64: clear } = (await alice.ok('renderPdf', { body })).body;
    const { pdf_base64: white } = (await alice.ok('renderPdf', { body: { data } })).body;

    expect(clear).toBe(white);
  });
});
