import type { Chart } from '../../request/chart.ts';
import type { Texts } from '../../scene.ts';
import { lineHeight, type Box } from '../sizes.ts';
import { shortened } from '../../text/text-fit.ts';

/** The bounds without the space for the titles of the axes. */
export function withoutAxisTitles(chart: Chart, bounds: Box): Box {
  const { left, bottom } = titlesOf(chart, bounds);
  const space = chart.sizes.fontSize * (lineHeight + 0.4);
  return {
    ...bounds,
    left: bounds.left + (left === '' ? 0 : space),
    bottom: bounds.bottom - (bottom === '' ? 0 : space),
  };
}

/** The titles of the axes, at the edges of `bounds` and in the middle of their axes. */
export function axisTitles(chart: Chart, bounds: Box, frame: Box): readonly Texts[] {
  const { left, bottom } = titlesOf(chart, bounds);
  const size = chart.sizes.fontSize;
  const style = { kind: 'texts', size, fill: chart.theme.ink.value, anchor: 'middle' } as const;
  const result: Texts[] = [];
  if (bottom !== '') {
    const text = shortened(bottom, frame.right - frame.left, { size });
    const x = (frame.left + frame.right) / 2;
    result.push({ ...style, texts: [{ x, y: bounds.bottom - size * 0.1, text }] });
  }
  if (left !== '') {
    const text = shortened(left, frame.bottom - frame.top, { size });
    const y = (frame.top + frame.bottom) / 2;
    result.push({ ...style, angle: 90, texts: [{ x: bounds.left + size * 0.8, y, text }] });
  }
  return result;
}

/**
 * The titles at the left and at the bottom; empty if the picture is too small. The title of the x axis is vertical if
 * bars are horizontal.
 */
function titlesOf(
  { isHorizontal, xTitle, yTitle, sizes: { fontSize, showsAxes } }: Chart,
  { left, top, right, bottom }: Box,
): { readonly left: string; readonly bottom: string } {
  const [level, upright] = isHorizontal ? [yTitle, xTitle] : [xTitle, yTitle];
  return {
    left: showsAxes && right - left >= fontSize * 16 ? upright : '',
    bottom: showsAxes && bottom - top >= fontSize * 9 ? level : '',
  };
}
