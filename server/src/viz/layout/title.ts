import type { Chart } from '../chart.ts';
import type { Texts } from '../scene.ts';
import { lineHeight, type Box, type Sizes } from './sizes.ts';
import { balanced } from './text-fit.ts';

/** The title in at most two balanced lines at the top left, and the remaining space. */
export function placeTitle(
  { title, theme }: Chart,
  sizes: Sizes,
): { readonly shapes: readonly Texts[]; readonly bounds: Box } {
  const { width, height, margin, title: size } = sizes;
  const bounds = { left: margin, top: margin, right: width - margin, bottom: height - margin };
  if (title === '' || !sizes.showsTitle) return { shapes: [], bounds };
  const lines = balanced(title, bounds.right - bounds.left, height >= 20 * sizes.fontSize ? 2 : 1, {
    size,
    weight: 'bold',
  });
  const texts = lines.map((text, i) => ({ x: margin, y: margin + size * (0.8 + i * lineHeight), text }));
  return {
    shapes: [
      { kind: 'texts', size, weight: 'bold', fill: theme.ink.title, anchor: 'start', angle: 0, texts },
    ],
    bounds: { ...bounds, top: margin + lines.length * size * lineHeight + sizes.fontSize * 0.6 },
  };
}
