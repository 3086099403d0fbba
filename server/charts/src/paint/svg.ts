import type { Scene, Texts } from '../scene.ts';
import type { Color } from '../color.ts';
import {
  isolated,
  paint,
  traceLine,
  type PathSink,
  type Points,
  type Stroke,
  type Surface,
} from './paint.ts';
import { foreignLanguage } from '../text/phrases.ts';

/** The picture as a self-contained SVG element. */
export function paintSvg(scene: Scene): string {
  const { width, height, background, title, description, locale } = scene;
  const content = new Elements();
  if (background.alpha > 0)
    content.text += `<path${content.paint('fill', background)} d="M0 0h${width}v${height}H0z"/>`;
  paint(scene, content);
  // An `aria-label`, because a title element would be a tooltip over the whole picture.
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" ` +
    `role="img" lang="${locale}" aria-label="${escaped(title)}" ${textStyle}>` +
    `<desc${spoken(foreignLanguage(locale))}>${escaped(description)}</desc>${content.darkStyle}${content.text}</svg>`
  );
}

/** Every text property that an inline SVG would inherit. Properties without an attribute in SVG are in `style`. */
const textStyle =
  'font-family="Arimo,Helvetica,Arial,sans-serif" font-weight="400" font-style="normal" font-variant="normal" ' +
  'font-stretch="normal" direction="ltr" writing-mode="horizontal-tb" letter-spacing="normal" word-spacing="normal" ' +
  'text-anchor="start" text-decoration="none" ' +
  'style="text-transform:none;text-shadow:none;text-indent:0;white-space:normal"';

/** The elements of an SVG, and the path that is being written: steps in tenths of a pixel from the previous point. */
class Elements implements Surface, PathSink {
  text = '';
  readonly #darkRules = new Set<string>();
  #x = 0;
  #y = 0;

  /**
   * The style for dark pages. A style element in an inline SVG applies to the whole page. Each class is therefore named
   * after its only rule: another picture may have the same classes, but not with other colours.
   */
  get darkStyle(): string {
    if (this.#darkRules.size === 0) return '';
    return `<style>@media (prefers-color-scheme:dark){${[...this.#darkRules].join('')}}</style>`;
  }

  outline(color: Color): PathSink {
    this.text += `<path${this.paint('fill', color)} d="`;
    return this;
  }

  fill(): void {
    this.text += '"/>';
  }

  stroke(lines: readonly Points[], { stroke, width, dash = [] }: Stroke, ends: 'butt' | 'round'): void {
    const strokeWidth = width === 1 ? '' : ` stroke-width="${formatCoordinate(width)}"`;
    const dashes = dash.length === 0 ? '' : ` stroke-dasharray="${dash.map(formatCoordinate).join(' ')}"`;
    const round = ends === 'round' ? ' stroke-linejoin="round" stroke-linecap="round"' : '';
    this.text += `<path fill="none"${this.paint('stroke', stroke)}${strokeWidth}${dashes}${round} d="`;
    for (const line of lines) traceLine(this, line);
    this.text += '"/>';
  }

  texts({ size, weight, fill, anchor = 'start', angle = 0, language, texts }: Texts): void {
    if (texts.length === 0) return;
    const bold = weight === 'bold' ? ' font-weight="700"' : '';
    const anchored = anchor === 'start' ? '' : ` text-anchor="${anchor}"`;
    this.text += `<g font-size="${formatCoordinate(size)}"${bold}${this.paint('fill', fill)}${anchored}${spoken(language)}>`;
    for (const each of texts) {
      const [x, y] = [formatCoordinate(each.x), formatCoordinate(each.y)];
      const turn = angle === 0 ? '' : ` transform="rotate(${-angle} ${x} ${y})"`;
      this.text += `<text x="${x}" y="${y}"${turn}>${escaped(isolated(each.text))}</text>`;
    }
    this.text += '</g>';
  }

  /** The attributes of an element for its colour, after the class that replaces it on dark pages. */
  paint(property: 'fill' | 'stroke', { hex, alpha, dark }: Color): string {
    const opacity = alpha === 1 ? '' : ` ${property}-opacity="${alpha}"`;
    const attributes = ` ${property}="${hex}"${opacity}`;
    if (dark === undefined) return attributes;
    const name = `chart-${property}-${dark.slice(1)}`;
    this.#darkRules.add(`.${name}{${property}:${dark}}`);
    return ` class="${name}"${attributes}`;
  }

  moveTo(x: number, y: number): void {
    this.#x = toTenths(x);
    this.#y = toTenths(y);
    this.text += `M${formatTenths(this.#x)} ${formatTenths(this.#y)}`;
  }

  lineTo(x: number, y: number): void {
    const dx = toTenths(x) - this.#x;
    const dy = toTenths(y) - this.#y;
    this.#x += dx;
    this.#y += dy;
    this.text += formatLine(dx, dy);
  }

  arc(x: number, y: number, radius: number, from: number, to: number, isCounterclockwise: boolean): void {
    const r = formatTenths(toTenths(radius));
    const [startX, startY] = [x + Math.cos(from) * radius, y + Math.sin(from) * radius];
    if (toTenths(startX) !== this.#x || toTenths(startY) !== this.#y) this.lineTo(startX, startY);
    // Arcs of more than half a circle are drawn as two arcs: a single arc vanishes if its rounded ends coincide.
    const count = Math.abs(to - from) > Math.PI ? 2 : 1;
    for (let i = 1; i <= count; i++) {
      const angle = from + ((to - from) * i) / count;
      this.#x = toTenths(x + Math.cos(angle) * radius);
      this.#y = toTenths(y + Math.sin(angle) * radius);
      const end = `${formatTenths(this.#x)} ${formatTenths(this.#y)}`;
      this.text += `A${r} ${r} 0 0 ${isCounterclockwise ? 0 : 1} ${end}`;
    }
  }

  closePath(): void {
    this.text += 'z';
  }
}

function spoken(language: string | undefined): string {
  return language === undefined ? '' : ` lang="${language}"`;
}

const entities: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' };

/** Escapes text for XML content or an attribute in double quotes. Every text of a request passes through here. */
export function escaped(text: string): string {
  return text.replace(/[<>&"]/g, (character) => entities[character] ?? '');
}

// Steps up to this size, in tenths of a pixel, are formatted once and then looked up. Nearly all steps of a long line
// are that small; without this table, a line of 1,000 points takes a quarter longer.
const widthMax = 128;
const heightMax = 1024;
const formattedLines = new Array<string | undefined>(2 * widthMax * heightMax);

function formatLine(dx: number, dy: number): string {
  if (dx < 0 || dx >= widthMax || dy < -heightMax || dy >= heightMax) return newLine(dx, dy);
  return (formattedLines[(dx * 2 + 1) * heightMax + dy] ??= newLine(dx, dy));
}

function newLine(dx: number, dy: number): string {
  return `l${formatTenths(dx)}${formatStep(dy)}`;
}

/** A coordinate, rounded to a tenth of a pixel. */
function formatCoordinate(value: number): string {
  return formatTenths(toTenths(value));
}

function toTenths(value: number): number {
  return Math.round(value * 10);
}

const formatTenths = remembered((tenths) => String(tenths / 10));

/** A step in tenths. A minus sign also separates numbers, and a number below one needs no zero. */
const formatStep = remembered((tenths) => {
  const text = String(tenths / 10).replace(/^(-?)0\./, '$1.');
  return tenths < 0 ? text : ` ${text}`;
});

/** Formats each number of tenths once, and then looks it up, which gives SVG most of its speed. */
function remembered(format: (tenths: number) => string): typeof format {
  const tenthsMax = 50_000;
  const texts = new Array<string | undefined>(2 * tenthsMax + 1);
  return (tenths) => {
    if (tenths > tenthsMax || tenths < -tenthsMax) return format(tenths);
    return (texts[tenths + tenthsMax] ??= format(tenths));
  };
}
