import type { Color } from '../color.ts';
import { colorsOf, type Scene } from '../scene.ts';

type Property = 'fill' | 'stroke';
type Colors = Partial<Readonly<Record<Property, Color>>>;

/** The attributes of an element that is filled or stroked in some colours. */
export function paints({ fill, stroke }: Colors): string {
  const attributes = (fill ? paint('fill', fill) : '') + (stroke ? paint('stroke', stroke) : '');
  if (fill?.dark === undefined && stroke?.dark === undefined) return attributes;
  const classes = [];
  if (fill?.dark !== undefined) classes.push(className('fill', fill.dark));
  if (stroke?.dark !== undefined) classes.push(className('stroke', stroke.dark));
  return ` class="${classes.join(' ')}"${attributes}`;
}

function paint(property: Property, { hex, alpha }: Color): string {
  return alpha === 1 ? ` ${property}="${hex}"` : ` ${property}="${hex}" ${property}-opacity="${alpha}"`;
}

/**
 * The colours on a dark page. A style element inside an inline SVG applies to the whole page, so each class is named by
 * its only rule: another picture may have the same classes, but not with other colours.
 */
export function darkStyle({ background, shapes }: Scene): string {
  const rules = new Set<string>();
  const add = (property: Property, { dark }: Color): void => {
    if (dark !== undefined) rules.add(`.${className(property, dark)}{${property}:${dark}}`);
  };
  add('fill', background);
  for (const shape of shapes) {
    const property = shape.kind === 'rules' || shape.kind === 'path' ? 'stroke' : 'fill';
    for (const color of colorsOf(shape)) add(property, color);
    if (shape.kind === 'dots') add('stroke', shape.ringColor);
  }
  return rules.size === 0 ? '' : `<style>@media (prefers-color-scheme:dark){${[...rules].join('')}}</style>`;
}

function className(property: Property, dark: string): string {
  return `chart-${property}-${dark.slice(1)}`;
}
