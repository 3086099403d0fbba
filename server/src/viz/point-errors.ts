import type { InvalidField } from '../errors.ts';
import type { Schemas } from '../operation.ts';

type PointError = Omit<InvalidField, 'pointer'>;

/** The errors of a field of the points in `data` and in `series`. */
export function pointErrors(
  { data = [], series = [] }: Pick<Schemas['ChartRequest'], 'data' | 'series'>,
  field: keyof Schemas['DataPoint'],
  errorOf: (point: Schemas['DataPoint']) => PointError | undefined,
): InvalidField[] {
  const lists = [{ place: '/data', points: data }];
  series.forEach((each, i) => lists.push({ place: `/series/${i}/data`, points: each.data }));
  const errors: InvalidField[] = [];
  for (const { place, points } of lists) {
    points.forEach((point, i) => {
      const error = errorOf(point);
      if (error !== undefined) errors.push({ pointer: `${place}/${i}/${field}`, ...error });
    });
  }
  return errors;
}
