import type { Chart } from '../chart.ts';
import type { Texts } from '../scene.ts';
import { lineHeight, type Box, type Sizes } from './sizes.ts';
import { wrapped } from './text-fit.ts';

interface Placed {
  readonly shapes: readonly Texts[];
  readonly bounds: Box;
}

/** The line under the title, and the line at the bottom that names the source. A small picture has neither. */
export function placeCaptions(chart: Chart, outer: Box, sizes: Sizes): Placed {
  const { subtitle, source, title, theme } = chart;
  const { fontSize, showsTitle, height } = sizes;
  if (!showsTitle) return { shapes: [], bounds: outer };
  const linesMax = height >= 24 * fontSize ? 2 : 1;
  const shapes: Texts[] = [];
  let bounds = outer;
  const place = (text: string, size: number, top: number, fill: Texts['fill']): void => {
    const texts = linesOf(text, size, outer, linesMax).map((line, i) => ({
      x: outer.left,
      y: top + size * (0.8 + i * lineHeight),
      text: line,
    }));
    shapes.push({ kind: 'texts', size, weight: 'regular', fill, anchor: 'start', angle: 0, texts });
  };
  if (subtitle !== '') {
    const size = fontSize * 1.08;
    const top = bounds.top - (title === '' ? 0 : fontSize * 0.35);
    place(subtitle, size, top, theme.ink.label);
    const lines = linesOf(subtitle, size, outer, linesMax).length;
    bounds = { ...bounds, top: top + lines * size * lineHeight + fontSize * 0.6 };
  }
  if (source !== '') {
    const size = fontSize * 0.88;
    const lines = linesOf(source, size, outer, linesMax).length;
    // The descenders of the last line reach into the margin.
    const top = bounds.bottom - (lines - 1) * size * lineHeight - size * 0.8;
    place(source, size, top, theme.ink.label);
    bounds = { ...bounds, bottom: top - fontSize * 0.7 };
  }
  return { shapes, bounds };
}

function linesOf(text: string, size: number, { left, right }: Box, linesMax: number): readonly string[] {
  return wrapped(text, right - left, linesMax, { size });
}
