/** The positions on the category axis: the middle of the first point, and the distance between points. */
export interface BandScale {
  readonly start: number;
  readonly step: number;
  /** The positions of points by time; undefined for points at equal distances. `step` is then the mean distance. */
  readonly places?: Readonly<Float64Array> | undefined;
}

/** The middle of a point. */
export function placeOf({ start, step, places }: BandScale, index: number): number {
  return places?.[index] ?? start + index * step;
}
