import type { Color } from '../color.ts';
import {
  type Area,
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
import { traceLine, traceRoundedBar, traceWedge } from './outline.ts';
import { pathData } from './path-data.ts';
import { darkStyle, paints } from './svg-colors.ts';
import { SvgPath } from './svg-path.ts';
import { formatCoordinate } from './format-coordinate.ts';
import { escaped } from './escape.ts';
import { isolated } from './text-direction.ts';

/** The picture as one self-contained SVG element. */
export function paintSvg(scene: Scene): string {
  const { width, height, background, title, description, locale, shapes } = scene;
  let content = '';
  for (const shape of shapes) content += element(shape);
  // A title element would be a tooltip over the whole picture.
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" ` +
    `role="img" lang="${locale}" aria-label="${escaped(title)}" ${textStyle}>` +
    `<desc>${escaped(description)}</desc>${darkStyle(scene)}${backdrop(background, width, height)}${content}</svg>`
  );
}

/** Every property of text that an inline SVG would inherit from its page. Some have no attribute of their own. */
const textStyle =
  'font-family="Arimo,Helvetica,Arial,sans-serif" font-weight="400" font-style="normal" font-variant="normal" ' +
  'font-stretch="normal" direction="ltr" writing-mode="horizontal-tb" letter-spacing="normal" word-spacing="normal" ' +
  'text-anchor="start" text-decoration="none" ' +
  'style="text-transform:none;text-shadow:none;text-indent:0;white-space:normal"';

function backdrop(background: Color, width: number, height: number): string {
  return background.alpha === 0
    ? ''
    : `<path${paints({ fill: short(background) })} d="M0 0h${width}v${height}H0z"/>`;
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
  const path = new SvgPath();
  for (const bar of bars) {
    const corner = cornerOf(bar, radius);
    if (corner === 0) path.rect(bar.x, bar.y, bar.width, bar.height);
    else traceRoundedBar(path, bar, corner);
  }
  return `<path${paints({ fill })} d="${path.data}"/>`;
}

function rules({ stroke, width, lines }: Rules): string {
  const path = new SvgPath();
  for (const line of lines) traceLine(path, line);
  const d = path.data;
  return d === '' ? '' : `<path fill="none"${paints({ stroke })}${strokeWidth(width)} d="${d}"/>`;
}

function path({ stroke, width, dash = [], points }: Path): string {
  const dashes = dash.length === 0 ? '' : ` stroke-dasharray="${dash.map(formatCoordinate).join(' ')}"`;
  return `<path fill="none"${paints({ stroke })}${strokeWidth(width)}${dashes} stroke-linejoin="round" stroke-linecap="round" d="${pathData(points)}"/>`;
}

function area({ fill, points }: Area): string {
  return `<path${paints({ fill })} d="${pathData(points)}z"/>`;
}

function dots(dots: Dots): string {
  const { fill, ring, ringColor, centers } = dots;
  let circles = '';
  for (let i = 0; i < centers.length; i += 2) circles += circle(centers[i], centers[i + 1], rimOf(dots));
  return `<g${paints({ fill, stroke: short(ringColor) })}${strokeWidth(ring)}>${circles}</g>`;
}

function wedges(disc: Wedges): string {
  let result = '';
  for (const wedge of disc.wedges) {
    const fill = paints({ fill: wedge.fill });
    if (disc.hole === 0 && isWhole(wedge)) {
      result += `<g${fill}>${circle(disc.x, disc.y, disc.radius)}</g>`;
      continue;
    }
    const path = new SvgPath();
    traceWedge(path, disc, wedge);
    result += `<path${fill} d="${path.data}"/>`;
  }
  return result;
}

function texts({ size, weight, fill, anchor, angle, texts }: Texts): string {
  let content = '';
  for (const { x, y, text } of texts) {
    const turn =
      angle === 0 ? '' : ` transform="rotate(${-angle} ${formatCoordinate(x)} ${formatCoordinate(y)})"`;
    content += `<text x="${formatCoordinate(x)}" y="${formatCoordinate(y)}"${turn}>${escaped(isolated(text))}</text>`;
  }
  const bold = weight === 'bold' ? ' font-weight="700"' : '';
  const anchored = anchor === 'start' ? '' : ` text-anchor="${anchor}"`;
  return content === ''
    ? ''
    : `<g font-size="${formatCoordinate(size)}"${bold}${paints({ fill })}${anchored}>${content}</g>`;
}

function circle(x = 0, y = 0, radius: number): string {
  return `<circle cx="${formatCoordinate(x)}" cy="${formatCoordinate(y)}" r="${formatCoordinate(radius)}"/>`;
}

/** White, the usual background, in its shortest form. */
function short(color: Color): Color {
  return color.hex === '#ffffff' ? { ...color, hex: '#fff' } : color;
}

function strokeWidth(width: number): string {
  return width === 1 ? '' : ` stroke-width="${formatCoordinate(width)}"`;
}
