import type { Chart } from '../request/chart.ts';
import type { Texts } from '../scene.ts';
import { lineHeight, type Box } from './sizes.ts';
import { balanced, ellipsis, wrapped, type Style } from '../text/text-fit.ts';

/**
 * Places the title, the subtitle below it, and the source at the bottom, each in at most two lines, and returns the
 * remaining space. A small picture has only a title or nothing.
 */
export function placeHeadings(chart: Chart): { readonly shapes: readonly Texts[]; readonly bounds: Box } {
  const { title, source, isRightToLeft, sizes, theme } = chart;
  const { width, height, margin, fontSize, showsTitle, showsSubtitle } = sizes;
  const bounds = { left: margin, top: margin, right: width - margin, bottom: height - margin };
  if (!showsTitle) return { shapes: [], bounds };
  const shapes: Texts[] = [];
  /** Places lines below `top`, and returns their height. */
  const place = (lines: readonly string[], top: number, style: Style & Pick<Texts, 'fill'>): number => {
    const [x, anchor] = isRightToLeft ? [bounds.right, 'end' as const] : [bounds.left, 'start' as const];
    const texts = lines.map((text, i) => ({ x, y: top + style.size * (0.8 + i * lineHeight), text }));
    shapes.push({ kind: 'texts', ...style, anchor, texts });
    return lines.length * style.size * lineHeight;
  };
  const textWidth = bounds.right - bounds.left;
  const linesMax = height >= 24 * fontSize ? 2 : 1;
  if (title !== '') {
    const style = { size: sizes.title, weight: 'bold', fill: theme.ink.title } as const;
    const lines = balanced(title, textWidth, height >= 20 * fontSize ? 2 : 1, style);
    bounds.top += place(lines, bounds.top, style) + fontSize * 0.6;
  }
  const style = { size: fontSize * 1.08, fill: theme.ink.label };
  const lines = showsSubtitle || title === '' ? underTitle(chart, textWidth, linesMax, style) : [];
  if (lines.length > 0) {
    if (title !== '') bounds.top -= fontSize * 0.35;
    bounds.top += place(lines, bounds.top, style) + fontSize * (linesMax > 1 ? 1 : 0.6);
  }
  if (source !== '' && showsSubtitle) {
    const style = { size: sizes.small, fill: theme.ink.label };
    const lines = wrapped(source, textWidth, linesMax, style);
    // The descenders of the last line may reach into the margin.
    const top = bounds.bottom - (lines.length - 1) * style.size * lineHeight - style.size * 0.8;
    place(lines, top, style);
    bounds.bottom = top - fontSize;
  }
  return { shapes, bounds };
}

/** The subtitle, and the unit of the numbers in parentheses. The unit is left out if a title already names it. */
function underTitle(chart: Chart, width: number, linesMax: number, style: Style): readonly string[] {
  const { subtitle, unitOnce } = chart;
  if (unitOnce === '' || isUnitNamed(chart))
    return subtitle === '' ? [] : wrapped(subtitle, width, linesMax, style);
  if (subtitle === '') return wrapped(unitOnce, width, linesMax, style);
  const lines = wrapped(`${subtitle} (${unitOnce})`, width, linesMax, style);
  if (!lines.at(-1)?.endsWith(ellipsis)) return lines;
  return wrapped(`${unitOnce} · ${subtitle}`, width, linesMax, style);
}

function isUnitNamed({ title, subtitle, yTitle, unitOnce }: Chart): boolean {
  const [before = '', after] = `${title} ${subtitle} ${yTitle}`.split(unitOnce);
  return after !== undefined && !/[\p{L}\p{N}]$/u.test(before) && !/^[\p{L}\p{N}]/u.test(after);
}
