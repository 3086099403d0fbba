import type { Chart } from '../chart.ts';
import type { Texts } from '../scene.ts';
import { lineHeight, type Box } from './sizes.ts';
import { shortened } from './text-fit.ts';

/** The bounds without the space for the names of the axes, which a small picture does not show. */
export function withoutAxisTitles(chart: Chart, bounds: Box): Box {
  const space = chart.sizes.fontSize * (lineHeight + 0.4);
  return {
    ...bounds,
    left: bounds.left + (showsLeft(chart, bounds) ? space : 0),
    bottom: bounds.bottom - (showsBottom(chart, bounds) ? space : 0),
  };
}

/** The names at the edges of `bounds`, in the middle of their axes. */
export function axisTitles(chart: Chart, bounds: Box, frame: Box): readonly Texts[] {
  const size = chart.sizes.fontSize;
  const style = {
    kind: 'texts',
    size,
    weight: 'regular',
    fill: chart.theme.ink.value,
    anchor: 'middle',
  } as const;
  const result: Texts[] = [];
  if (showsBottom(chart, bounds)) {
    const text = shortened(bottomTitle(chart), frame.right - frame.left, { size });
    const x = (frame.left + frame.right) / 2;
    result.push({ ...style, angle: 0, texts: [{ x, y: bounds.bottom - size * 0.1, text }] });
  }
  if (showsLeft(chart, bounds)) {
    const text = shortened(leftTitle(chart), frame.bottom - frame.top, { size });
    const y = (frame.top + frame.bottom) / 2;
    result.push({ ...style, angle: 90, texts: [{ x: bounds.left + size * 0.8, y, text }] });
  }
  return result;
}

function showsBottom(chart: Chart, { top, bottom }: Box): boolean {
  const { fontSize, showsText } = chart.sizes;
  return bottomTitle(chart) !== '' && showsText && bottom - top >= fontSize * 9;
}

function showsLeft(chart: Chart, { left, right }: Box): boolean {
  const { fontSize, showsText } = chart.sizes;
  return leftTitle(chart) !== '' && showsText && right - left >= fontSize * 16;
}

/** The x axis is the axis of the categories, also where it is upright. */
function bottomTitle({ isHorizontal, xTitle, yTitle }: Chart): string {
  return isHorizontal ? yTitle : xTitle;
}

function leftTitle({ isHorizontal, xTitle, yTitle }: Chart): string {
  return isHorizontal ? xTitle : yTitle;
}
