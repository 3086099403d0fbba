import type { Chart } from '../chart.ts';
import type { Texts } from '../scene.ts';
import { lineHeight, type Box, type Sizes } from './sizes.ts';
import { shortened } from './text-fit.ts';

/** The bounds without the space for the names of the axes, which a small picture does not show. */
export function withoutAxisTitles(chart: Chart, bounds: Box, sizes: Sizes): Box {
  const space = sizes.fontSize * (lineHeight + 0.4);
  return {
    ...bounds,
    left: bounds.left + (showsY(chart, bounds, sizes) ? space : 0),
    bottom: bounds.bottom - (showsX(chart, bounds, sizes) ? space : 0),
  };
}

/** The names at the edges of `bounds`, in the middle of their axes. */
export function axisTitles(chart: Chart, bounds: Box, frame: Box, sizes: Sizes): readonly Texts[] {
  const size = sizes.fontSize;
  const style = {
    kind: 'texts',
    size,
    weight: 'regular',
    fill: chart.theme.ink.value,
    anchor: 'middle',
  } as const;
  const result: Texts[] = [];
  if (showsX(chart, bounds, sizes)) {
    const text = shortened(chart.xTitle, frame.right - frame.left, { size });
    const x = (frame.left + frame.right) / 2;
    result.push({ ...style, angle: 0, texts: [{ x, y: bounds.bottom - size * 0.1, text }] });
  }
  if (showsY(chart, bounds, sizes)) {
    const text = shortened(chart.yTitle, frame.bottom - frame.top, { size });
    const y = (frame.top + frame.bottom) / 2;
    result.push({ ...style, angle: 90, texts: [{ x: bounds.left + size * 0.8, y, text }] });
  }
  return result;
}

function showsX({ xTitle }: Chart, { top, bottom }: Box, { fontSize, showsText }: Sizes): boolean {
  return xTitle !== '' && showsText && bottom - top >= fontSize * 9;
}

function showsY({ yTitle }: Chart, { left, right }: Box, { fontSize, showsText }: Sizes): boolean {
  return yTitle !== '' && showsText && right - left >= fontSize * 16;
}
