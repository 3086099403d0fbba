import {
  utcDay,
  utcHour,
  utcMillisecond,
  utcMinute,
  utcMonday,
  utcMonth,
  utcSecond,
  utcYear,
  type CountableTimeInterval,
} from 'd3-time';
import { timeUnits, type TimeUnit } from '../times.ts';

/** Times along an axis, and the unit in which they are written. */
interface TimeTicks {
  readonly unit: TimeUnit;
  readonly times: readonly number[];
}

interface Step {
  readonly unit: TimeUnit;
  readonly ms: number;
  readonly interval: CountableTimeInterval;
  readonly multiple: number;
}

const day = 86_400_000;
const steps: readonly Step[] = [
  ...multiples('millisecond', 1, utcMillisecond, [1, 2, 5, 10, 20, 50, 100, 200, 500]),
  ...multiples('second', 1000, utcSecond, [1, 2, 5, 10, 15, 30]),
  ...multiples('minute', 60_000, utcMinute, [1, 2, 5, 10, 15, 30]),
  ...multiples('hour', 3_600_000, utcHour, [1, 2, 3, 6, 12]),
  ...multiples('day', day, utcDay, [1]),
  ...multiples('day', 7 * day, utcMonday, [1]),
  ...multiples('month', 30 * day, utcMonth, [1, 3, 6]),
  ...multiples('year', 365 * day, utcYear, [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000]),
];

function multiples(
  unit: TimeUnit,
  ms: number,
  interval: CountableTimeInterval,
  counts: readonly number[],
): readonly Step[] {
  return counts.map((multiple) => ({ unit, ms: ms * multiple, interval, multiple }));
}

/**
 * Ticks at whole units of time, from the closest together to the farthest apart: at most `countMax`, and none finer than
 * the unit of the labels.
 */
export function* timeTicks(
  first: number,
  last: number,
  unit: TimeUnit,
  countMax: number,
): Generator<TimeTicks> {
  const finest = timeUnits.indexOf(unit);
  for (const { unit, ms, interval, multiple } of steps) {
    if (timeUnits.indexOf(unit) > finest || (last - first) / ms > countMax) continue;
    const each = multiple === 1 ? interval : interval.every(multiple);
    const times = each?.range(new Date(first), new Date(last + 1)).map(Number) ?? [];
    if (times.length > 0) yield { unit, times };
  }
}
