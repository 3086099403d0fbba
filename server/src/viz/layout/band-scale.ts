/** Places along the category axis: the middle of the first point and the distance between points. */
export interface BandScale {
  readonly start: number;
  readonly step: number;
  /** The places of points that lie at their times; undefined for points at equal distances. The mean distance is `step`. */
  readonly places?: Readonly<Float64Array> | undefined;
}

/** The middle of a point. */
export function placeOf({ start, step, places }: BandScale, index: number): number {
  return places?.[index] ?? start + index * step;
}
