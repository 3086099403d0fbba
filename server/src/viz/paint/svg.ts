import type { Color } from '../color.ts';
import {
  type Area,
  type Bar,
  type Bars,
  type Dots,
  type Path,
  type Rules,
  type Scene,
  type Shape,
  type Texts,
  type Wedges,
  cornerOf,
  isWhole,
  rimOf,
} from '../scene.ts';
import { pathData } from './path-data.ts';
import { formatCoordinate } from './format-coordinate.ts';
import { escaped } from './escape.ts';

/** The picture as one self-contained SVG element. */
export function paintSvg({ width, height, title, description, shapes }: Scene): string {
  let content = '';
  for (const shape of shapes) content += element(shape);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" ` +
    `role="img" font-family="Arimo,Helvetica,Arial,sans-serif"><title>${escaped(title)}</title>` +
    `<desc>${escaped(description)}</desc><path fill="#fff" d="M0 0h${width}v${height}H0z"/>${content}</svg>`
  );
}

function element(shape: Shape): string {
  switch (shape.kind) {
    case 'bars':
      return bars(shape);
    case 'rules':
      return rules(shape);
    case 'path':
      return path(shape);
    case 'area':
      return area(shape);
    case 'dots':
      return dots(shape);
    case 'wedges':
      return wedges(shape);
    case 'texts':
      return texts(shape);
  }
}

function bars({ fill, radius, bars }: Bars): string {
  let d = '';
  for (const bar of bars) d += outline(bar, cornerOf(bar, radius));
  return `<path${paint('fill', fill)} d="${d}"/>`;
}

function outline({ x, y, width, height, rounded }: Bar, radius: number): string {
  if (radius === 0) {
    return (
      `M${formatCoordinate(x)} ${formatCoordinate(y)}h${formatCoordinate(width)}` +
      `v${formatCoordinate(height)}h${formatCoordinate(-width)}z`
    );
  }
  const [foot, head, sign] = rounded === 'top' ? [y + height, y, 1] : [y, y + height, -1];
  const [r, up] = [formatCoordinate(radius), formatCoordinate(-sign * radius)];
  return (
    `M${formatCoordinate(x)} ${formatCoordinate(foot)}V${formatCoordinate(head + sign * radius)}q0 ${up} ${r} ${up}` +
    `h${formatCoordinate(width - 2 * radius)}q${r} 0 ${r} ${formatCoordinate(sign * radius)}V${formatCoordinate(foot)}z`
  );
}

function rules({ stroke, width, lines }: Rules): string {
  let d = '';
  for (const line of lines) d += bends(line);
  return d === '' ? '' : `<path fill="none"${paint('stroke', stroke)}${strokeWidth(width)} d="${d}"/>`;
}

function bends(line: readonly number[]): string {
  let d = '';
  for (let i = 0; i < line.length; i += 2)
    d += `${i === 0 ? 'M' : 'L'}${formatCoordinate(line[i] ?? 0)} ${formatCoordinate(line[i + 1] ?? 0)}`;
  return d;
}

function path({ stroke, width, points }: Path): string {
  return `<path fill="none"${paint('stroke', stroke)}${strokeWidth(width)} stroke-linejoin="round" stroke-linecap="round" d="${pathData(points)}"/>`;
}

function area({ fill, points }: Area): string {
  return `<path${paint('fill', fill)} d="${pathData(points)}z"/>`;
}

function dots(dots: Dots): string {
  const { fill, ring, centers } = dots;
  let circles = '';
  for (let i = 0; i < centers.length; i += 2) circles += circle(centers[i], centers[i + 1], rimOf(dots));
  return `<g${paint('fill', fill)} stroke="#fff"${strokeWidth(ring)}>${circles}</g>`;
}

function wedges({ x, y, radius, wedges }: Wedges): string {
  const r = formatCoordinate(radius);
  const onRim = (angle: number): string =>
    `${formatCoordinate(x + Math.sin(angle) * radius)} ${formatCoordinate(y - Math.cos(angle) * radius)}`;
  const arcTo = (end: string): string => `A${r} ${r} 0 0 1 ${end}`;
  let result = '';
  let start = onRim(0);
  for (const wedge of wedges) {
    const { fill, from, to } = wedge;
    const end = onRim(to);
    // Arcs of more than half a circle are drawn in two: one whose rounded ends coincide would vanish.
    const half = to - from > Math.PI ? arcTo(onRim((from + to) / 2)) : '';
    result += isWhole(wedge)
      ? `<g${paint('fill', fill)}>${circle(x, y, radius)}</g>`
      : `<path${paint('fill', fill)} d="M${formatCoordinate(x)} ${formatCoordinate(y)}L${start}${half}${arcTo(end)}z"/>`;
    start = end;
  }
  return result;
}

function texts({ size, weight, fill, anchor, angle, texts }: Texts): string {
  let content = '';
  for (const { x, y, text } of texts) {
    const turn =
      angle === 0 ? '' : ` transform="rotate(${-angle} ${formatCoordinate(x)} ${formatCoordinate(y)})"`;
    content += `<text x="${formatCoordinate(x)}" y="${formatCoordinate(y)}"${turn}>${escaped(text)}</text>`;
  }
  const bold = weight === 'bold' ? ' font-weight="700"' : '';
  const anchored = anchor === 'start' ? '' : ` text-anchor="${anchor}"`;
  return content === ''
    ? ''
    : `<g font-size="${formatCoordinate(size)}"${bold}${paint('fill', fill)}${anchored}>${content}</g>`;
}

function circle(x = 0, y = 0, radius: number): string {
  return `<circle cx="${formatCoordinate(x)}" cy="${formatCoordinate(y)}" r="${formatCoordinate(radius)}"/>`;
}

function paint(property: 'fill' | 'stroke', { hex, alpha }: Color): string {
  return alpha === 1 ? ` ${property}="${hex}"` : ` ${property}="${hex}" ${property}-opacity="${alpha}"`;
}

function strokeWidth(width: number): string {
  return width === 1 ? '' : ` stroke-width="${formatCoordinate(width)}"`;
}
