import type { Area, Path, Scene, Texts } from '../scene.ts';
import type { Color } from '../color.ts';
import { isolated, paint, type PathSink, type Surface } from './paint.ts';
import { formatCoordinate, pathData, SvgPath } from './svg-path.ts';
import { foreignLanguage } from '../text/phrases.ts';

/** The picture as a self-contained SVG element. */
export function paintSvg(scene: Scene): string {
  const { width, height, background, title, description, locale } = scene;
  const content = new Elements();
  if (background.alpha > 0)
    content.text += `<path${content.paint('fill', short(background))} d="M0 0h${width}v${height}H0z"/>`;
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

class Elements implements Surface {
  text = '';
  readonly #darkRules = new Set<string>();

  /**
   * The style for dark pages. A style element in an inline SVG applies to the whole page. Each class is therefore named
   * after its only rule: another picture may have the same classes, but not with other colours.
   */
  get darkStyle(): string {
    if (this.#darkRules.size === 0) return '';
    return `<style>@media (prefers-color-scheme:dark){${[...this.#darkRules].join('')}}</style>`;
  }

  fill(fill: Color, trace: (path: PathSink) => void): void {
    const path = new SvgPath();
    trace(path);
    this.text += `<path${this.paint('fill', fill)} d="${path.data}"/>`;
  }

  stroke(stroke: Color, width: number, trace: (path: PathSink) => void): void {
    const path = new SvgPath();
    trace(path);
    this.text += `<path fill="none"${this.paint('stroke', stroke)}${strokeWidth(width)} d="${path.data}"/>`;
  }

  path({ stroke, width, dash = [], points }: Path): void {
    const dashes = dash.length === 0 ? '' : ` stroke-dasharray="${dash.map(formatCoordinate).join(' ')}"`;
    this.text += `<path fill="none"${this.paint('stroke', stroke)}${strokeWidth(width)}${dashes} stroke-linejoin="round" stroke-linecap="round" d="${pathData(points)}"/>`;
  }

  area({ fill, points }: Area): void {
    this.text += `<path${this.paint('fill', fill)} d="${pathData(points)}z"/>`;
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
  paint(property: Property, { hex, alpha, dark }: Color): string {
    const opacity = alpha === 1 ? '' : ` ${property}-opacity="${alpha}"`;
    const attributes = ` ${property}="${hex}"${opacity}`;
    if (dark === undefined) return attributes;
    const name = `chart-${property}-${dark.slice(1)}`;
    this.#darkRules.add(`.${name}{${property}:${dark}}`);
    return ` class="${name}"${attributes}`;
  }
}

type Property = 'fill' | 'stroke';

function spoken(language: string | undefined): string {
  return language === undefined ? '' : ` lang="${language}"`;
}

/** Writes white, the usual background, in its shortest form. */
function short(color: Color): Color {
  return color.hex === '#ffffff' ? { ...color, hex: '#fff' } : color;
}

function strokeWidth(width: number): string {
  return width === 1 ? '' : ` stroke-width="${formatCoordinate(width)}"`;
}

const special = /[<>&"]/;
const entities: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' };

/** Escapes text for XML content or an attribute in double quotes. Every text of a request passes through here. */
export function escaped(text: string): string {
  return special.test(text) ? text.replace(/[<>&"]/g, (character) => entities[character] ?? '') : text;
}
