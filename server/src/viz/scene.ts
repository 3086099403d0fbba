import { white, type Color } from './color.ts';

/** A picture as plain data: what to draw, in order, in pixels from the top left corner. */
export interface Scene {
  readonly width: number;
  readonly height: number;
  /** How many pixels of a PNG a pixel of the picture is wide and high. Vector formats ignore it. */
  readonly scale: number;
  /** The background of the picture; translucent if the page behind it shows through. */
  readonly background: Color;
  /** The name and the content of the picture as text, for screen readers. */
  readonly title: string;
  readonly description: string;
  /** The BCP 47 tag of its language. */
  readonly locale: string;
  readonly shapes: readonly Shape[];
}

/** An opaque white picture without any words about it. */
export function blankScene(width: number, height: number, shapes: readonly Shape[]): Scene {
  return { width, height, scale: 1, background: white, title: '', description: '', locale: 'en', shapes };
}

interface Shapes {
  readonly bars: Bars;
  readonly rules: Rules;
  readonly path: Path;
  readonly area: Area;
  readonly dots: Dots;
  readonly wedges: Wedges;
  readonly texts: Texts;
}

type Kind = keyof Shapes;
export type Shape<K extends Kind = Kind> = {
  readonly [Each in K]: Shapes[Each] & { readonly kind: Each };
}[K];

/** A function for each kind of shape that paints it on a target or returns it as text. */
export type Painter<Target, Result> = {
  readonly [Each in Kind]: (shape: Shape<Each>, target: Target) => Result;
};

/** Paints a shape by the function for its kind. */
export function paintShape<K extends Kind, Target, Result>(
  painter: Painter<Target, Result>,
  shape: Shape<K>,
  target: Target,
): Result {
  return painter[shape.kind](shape, target);
}

/** Rectangles of one colour. The corners at `rounded` have the radius. */
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

/** Separate lines, straight or with bends, each x, y, x, y, …: the grid, the zero line, leader lines. */
export interface Rules {
  readonly kind: 'rules';
  readonly stroke: Color;
  readonly width: number;
  readonly lines: readonly (readonly number[])[];
}

/** One connected line. */
export interface Path {
  readonly kind: 'path';
  readonly stroke: Color;
  readonly width: number;
  /** The lengths of its dashes and gaps, in turn; undefined for a solid line. */
  readonly dash?: readonly number[];
  readonly points: Coordinates;
}

/** A filled polygon. */
export interface Area {
  readonly kind: 'area';
  readonly fill: Color;
  readonly points: Coordinates;
}

/** Circles of one colour inside a ring of another, their centers x, y, x, y, … */
export interface Dots {
  readonly kind: 'dots';
  readonly fill: Color;
  readonly radius: number;
  readonly ring: number;
  readonly ringColor: Color;
  readonly centers: readonly number[];
}

/**
 * Slices of one disc or ring, the first from twelve o'clock on, each from the end of the slice before it. Angles are
 * clockwise, in radians.
 */
export interface Wedges {
  readonly kind: 'wedges';
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  /** The radius of the hole in the middle; 0 without one. */
  readonly hole: number;
  readonly wedges: readonly Wedge[];
}

export interface Wedge {
  readonly from: number;
  readonly to: number;
  readonly fill: Color;
}

/** Lines of text in one style: regular, level, and starting at their places, unless its fields say otherwise. */
export interface Texts {
  readonly kind: 'texts';
  readonly size: number;
  readonly weight?: Weight;
  readonly fill: Color;
  readonly anchor?: Anchor;
  /** By how many degrees each is turned counter-clockwise about its anchor. */
  readonly angle?: number;
  readonly texts: readonly Text[];
}

export type Weight = 'regular' | 'bold';
export type Anchor = 'start' | 'middle' | 'end';

/** One line of text at its baseline. */
export interface Text {
  readonly x: number;
  readonly y: number;
  readonly text: string;
}

/** x, y, x, y, … of the data points, in a typed array, which is three times as fast to read as an array. */
export type Coordinates = Readonly<Float64Array>;

export function colorsOf(shape: Shape): readonly Color[] {
  if (shape.kind === 'wedges') return shape.wedges.map(({ fill }) => fill);
  return [shape.kind === 'rules' || shape.kind === 'path' ? shape.stroke : shape.fill];
}

/** The radius of a bar's round corners; 0 if they would hardly be visible. */
export function cornerOf({ width, height, rounded }: Bar, radius: number): number {
  const corner = Math.min(radius, rounded === 'left' || rounded === 'right' ? width : height);
  return rounded === 'none' || corner < 0.5 ? 0 : corner;
}

/** The radius of the circle on which the middle of a dot's ring runs. */
export function rimOf({ radius, ring }: Dots): number {
  return radius + ring / 2;
}
