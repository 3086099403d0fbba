import type { Point } from './chart.ts';

/** One of several lines, or one bar of each category. */
export interface Series {
  readonly name: string;
  /** The value of each category; undefined where the series has no point of that label. */
  readonly values: readonly (number | undefined)[];
}

interface NamedData {
  readonly name: string;
  readonly data: readonly Point[];
}

/**
 * The labels of all series in order of appearance, and the values by them. A label that a series repeats is a category of
 * its own each time: its second point meets the second point of that label in the other series.
 */
export function alignSeries(list: readonly NamedData[]): {
  readonly labels: readonly string[];
  readonly series: readonly Series[];
} {
  const [first, ...others] = list;
  // Series usually have the same labels, which need no look-up.
  if (first !== undefined && others.every(({ data }) => haveSameLabels(data, first.data))) {
    const labels = first.data.map(({ label }) => label);
    return {
      labels,
      series: list.map(({ name, data }) => ({ name, values: data.map(({ value }) => value) })),
    };
  }
  const labels: string[] = [];
  const places = new Map<string, number[]>();
  const placed = list.map(({ name, data }) => {
    const seen = new Map<string, number>();
    const values = data.map(({ label, value }) => {
      const nth = seen.get(label) ?? 0;
      seen.set(label, nth + 1);
      const known = places.get(label) ?? [];
      places.set(label, known);
      known[nth] ??= labels.push(label) - 1;
      return { place: known[nth], value };
    });
    return { name, values };
  });
  const series = placed.map(({ name, values }) => {
    const byCategory = new Array<number | undefined>(labels.length).fill(undefined);
    for (const { place, value } of values) byCategory[place] = value;
    return { name, values: byCategory };
  });
  return { labels, series };
}

function haveSameLabels(a: readonly Point[], b: readonly Point[]): boolean {
  return a.length === b.length && a.every(({ label }, i) => label === b[i]?.label);
}

/** The sums of the positive and of the negative values of a category, which are stacked up and down from zero. */
export function stackOf(
  series: readonly Series[],
  category: number,
): { readonly up: number; readonly down: number } {
  let [up, down] = [0, 0];
  for (const { values } of series) {
    const value = values[category] ?? 0;
    if (value > 0) up += value;
    else down += value;
  }
  return { up, down };
}
