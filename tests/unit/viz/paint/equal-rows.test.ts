import { createCanvas } from 'canvas';
import { beforeAll, describe, expect, it } from 'vitest';
import { paintOnCanvas } from '../../../../server/src/viz/paint/canvas.ts';
import { foldEqualRows, type Folded } from '../../../../server/src/viz/paint/equal-rows.ts';
import { registerFonts } from '../../../../server/src/viz/paint/font-files.ts';
import type { Scene } from '../../../../server/src/viz/scene.ts';
import { cases } from '../../../gallery/cases.ts';
import { points, sceneOf } from '../layout/shapes.ts';

beforeAll(registerFonts);

const tall = { width: 300, height: 2000, title: 'gjpqy|$@()', data: points(1, 5.5, -3) };

// The smallest sizes of text, which hinting makes a pixel taller.
const small = ['`', 'Ǻ', 'Ѽ'].flatMap((letter) =>
  [100, 126, 200, 291, 350].map((width) => ({
    chart_type: 'pie' as const,
    width,
    height: 400,
    title: letter,
    data: [letter, 'x'].map((label, i) => ({ label, value: 3 - i })),
  })),
);

describe('foldEqualRows', () => {
  it.each(
    Object.entries({
      ...cases,
      'tall, ASCII': tall,
      'tall, accents': { ...tall, title: 'ǺŇģ' },
      'tall, Cyrillic': { ...tall, title: 'Яблоко' },
      'tall, heaped marks': { ...tall, title: `a${'\u0301'.repeat(30)}` },
      'tall, other fonts': { ...tall, title: '日本 😀' },
      ...Object.fromEntries(small.map((request) => [`${request.width} wide, ${request.title}`, request])),
      'tall, translucent': { ...tall, colors: ['rgb(200 0 0 / 40%)'] },
    }),
  )('loses nothing of a picture: %s', (_, request) => {
    const scene = sceneOf(request);

    expect(unfolded(foldEqualRows(scene)).equals(rowsOf(scene))).toBe(true);
  });

  it.each([
    ['ASCII', tall.title],
    ['accents', 'Ǻ'],
  ])('leaves out most rows of a tall bar chart: %s', (_, title) => {
    const { scene } = foldEqualRows(sceneOf({ ...tall, title }));

    expect(scene.height).toBeLessThan(tall.height / 3);
  });
});

function rowsOf(scene: Scene): Buffer {
  const canvas = createCanvas(scene.width, scene.height);
  paintOnCanvas(canvas.getContext('2d', { alpha: false }), scene);
  return canvas.toBuffer('raw');
}

function unfolded({ scene, repeats }: Folded): Buffer {
  const bytes = rowsOf(scene);
  const times = new Map(repeats.map(({ row, times }) => [row, times]));
  const rows = Array.from({ length: scene.height }, (_, row) => {
    const one = bytes.subarray(row * scene.width * 4, (row + 1) * scene.width * 4);
    return Array.from({ length: 1 + (times.get(row) ?? 0) }, () => one);
  });
  return Buffer.concat(rows.flat());
}
