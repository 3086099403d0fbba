import type { Color } from './color.ts';

/** A picture as data: what to draw, in order. Coordinates are in pixels from the top left corner. */
export interface Scene {
  readonly width: number;
  readonly height: number;
  /** How many pixels of a PNG are as wide and high as one pixel of the scene. Vector formats ignore the scale. */
  readonly scale: number;
  /** The background; translucent if the page behind the picture shows through. */
  readonly background: Color;
  /** The name and the content of the picture as text, for screen readers. */
  readonly title: string;
  readonly description: string;
  /** The BCP 47 tag of the picture's language. */
  readonly locale: string;
  readonly shapes: readonly Shape[];
}

export type Shape = Bars | Rules | Path | Area | Dots | Wedges | Texts;

/** Rectangles of the same colour. The corners in `rounded` are round, with this radius. */
export interface Bars {
  readonly kind: 'bars';
  readonly fill: Color;
  readonly radius: number;
  readonly bars: readonly Bar[];
}

export interface Bar {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly rounded: 'top' | 'right' | 'bottom' | 'left' | 'none';
}

/** Separate opaque lines, straight or bent, each x, y, x, y, …: the grid, the zero line, leader lines. */
export interface Rules {
  readonly kind: 'rules';
  readonly stroke: Color;
  readonly width: number;
  readonly lines: readonly (readonly number[])[];
}

/** One connected, opaque line. */
export interface Path {
  readonly kind: 'path';
  readonly stroke: Color;
  readonly width: number;
  /** The lengths of dashes and gaps, in turn; undefined for a solid line. */
  readonly dash?: readonly number[];
  readonly points: Coordinates;
}

/** A filled polygon. */
export interface Area {
  readonly kind: 'area';
  readonly fill: Color;
  readonly points: Coordinates;
}

/** Discs in one colour. Their centres are x, y, x, y, … */
export interface Dots {
  readonly kind: 'dots';
  readonly fill: Color;
  readonly radius: number;
  readonly centers: readonly number[];
}

/**
 * Slices of a disc or ring. The first starts at twelve o'clock, or at nine if it is the only one; each other one starts
 * where the previous one ends. Angles are in radians, clockwise.
 */
export interface Wedges {
  readonly kind: 'wedges';
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  /** The radius of the hole; 0 for a disc. */
  readonly hole: number;
  readonly wedges: readonly Wedge[];
}

export interface Wedge {
  readonly from: number;
  readonly to: number;
  readonly fill: Color;
}

/** Lines of text in one style. By default they are regular, horizontal, and start at their positions. */
export interface Texts {
  readonly kind: 'texts';
  readonly size: number;
  readonly weight?: Weight;
  readonly fill: Color;
  readonly anchor?: Anchor;
  /** The angle in degrees by which each text is turned counter-clockwise about its anchor. */
  readonly angle?: number;
  /** The language, if it is not the picture's. */
  readonly language?: string | undefined;
  readonly texts: readonly Text[];
}

export type Weight = 'regular' | 'bold';
export type Anchor = 'start' | 'middle' | 'end';

/** A line of text, and the position of its anchor on its baseline. */
export interface Text {
  readonly x: number;
  readonly y: number;
  readonly text: string;
}

/** Points as x, y, x, y, … in a typed array, which is three times as fast to read as an array. */
export type Coordinates = Readonly<Float64Array>;

export function colorsOf(shape: Shape): readonly Color[] {
  if (shape.kind === 'wedges') return shape.wedges.map(({ fill }) => fill);
  return [shape.kind === 'rules' || shape.kind === 'path' ? shape.stroke : shape.fill];
}
