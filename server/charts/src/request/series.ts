import { displayed } from './chart-text.ts';
import type { ChartSeries } from './generated/request.ts';

/** A line, or one bar in each category. */
export interface Series {
  readonly name: string;
  readonly values: Values;
  /** True for a plan or a target, which is drawn in grey. */
  readonly isMuted?: boolean | undefined;
}

/** The value of each category: null if the request has null, undefined if the series has no point with that label. */
export type Values = readonly (number | null | undefined)[];

/** The categories, and the values of each series by category. */
export interface Data {
  readonly labels: readonly string[];
  readonly series: readonly Series[];
}

/** A label and its position. If a series repeats a label, each repetition is a category of its own. */
interface Category {
  readonly label: string;
  /** The categories that come directly before this one in some series. */
  readonly before: Set<Category>;
  /** The value in each series. */
  readonly values: Values[number][];
}

/**
 * Collects the labels and values of all series. The labels in `first` come first. The others follow in an order that
 * agrees with every series if there is one, otherwise in order of appearance. If a series has a label twice, its second
 * point matches the second point with this label in other series.
 */
export function alignSeries(list: readonly ChartSeries[], first: readonly string[] = []): Data {
  const seriesOf = (valuesIn: (data: ChartSeries['data'], row: number) => Values): readonly Series[] =>
    list.map(({ name, data, muted }, row) => ({
      name: displayed(name),
      values: valuesIn(data, row),
      isMuted: muted,
    }));
  const [one, ...others] = list;
  // Usually all series have the same labels, which need no matching.
  const isLikeFirst = ({ data }: ChartSeries): boolean =>
    data.length === one?.data.length && data.every(({ label }, i) => label === one.data[i]?.label);
  if (one !== undefined && first.length === 0 && others.every(isLikeFirst))
    return {
      labels: one.data.map(({ label }) => displayed(label)),
      series: seriesOf((data) => data.map(({ value }) => value)),
    };
  const categories = new Map<string, Category>();
  const placedIn = (labels: readonly string[]): readonly Category[] =>
    placed(labels.map(displayed), categories);
  const named = placedIn(first);
  const rows = list.map(({ data }, row) => {
    const own = placedIn(data.map(({ label }) => label));
    own.forEach(({ values }, i) => (values[row] = data[i]?.value));
    return own;
  });
  const sorted = inOrder(rows.flat(), named);
  const series = seriesOf((_, row) => sorted.map(({ values }) => values[row]));
  return { labels: sorted.map(({ label }) => label), series };
}

/** The categories with these indexes, in the order of the indexes. */
export function picked({ labels, series }: Data, places: readonly number[]): Data {
  return {
    labels: places.map((place) => labels[place] ?? ''),
    series: series.map((each) => ({ ...each, values: places.map((place) => each.values[place]) })),
  };
}

/** The categories of these labels. Records in each category which category comes directly before it. */
function placed(labels: readonly string[], categories: Map<string, Category>): readonly Category[] {
  const seen = new Map<string, number>();
  let previous: Category | undefined;
  return labels.map((label) => {
    const nth = seen.get(label) ?? 0;
    seen.set(label, nth + 1);
    const key = `${nth} ${label}`;
    const category = categories.get(key) ?? { label, before: new Set(), values: [] };
    categories.set(key, category);
    if (previous !== undefined) category.before.add(previous);
    previous = category;
    return category;
  });
}

/**
 * Sorts the categories topologically: first `named`, then the others, each after the categories that come before it.
 */
function inOrder(categories: readonly Category[], named: readonly Category[]): readonly Category[] {
  const [entered, sorted] = [new Set(named), new Set(named)];
  for (const category of categories) {
    const open = [category];
    for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
      entered.add(last);
      const next = [...last.before].find((each) => !entered.has(each));
      if (next !== undefined) open.push(next);
      else {
        sorted.add(last);
        open.pop();
      }
    }
  }
  return [...sorted];
}

export function hasNumbers(series: readonly Series[]): boolean {
  return series.some(({ values }) => values.some((value) => typeof value === 'number'));
}

/** The numbers among some values. */
export function numbersIn(values: Values): readonly number[] {
  return values.filter((value) => typeof value === 'number');
}

/** The sums of a category's positive values, which are stacked up from zero, and of its negative ones, stacked down. */
export type Stack = Readonly<Record<'up' | 'down' | 'sum', number>>;

export function stacksOf({ labels, series }: Data): readonly Stack[] {
  return labels.map((_, category) => {
    let [up, down] = [0, 0];
    for (const { values } of series) {
      const value = values[category] ?? 0;
      if (value > 0) up += value;
      else down += value;
    }
    return { up, down, sum: up + down };
  });
}
