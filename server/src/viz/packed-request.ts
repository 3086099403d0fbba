import type { ChartRequest, ChartSeries, DataPoint } from '@worktable/charts/svg';

/** Points as two lists, which take a fifth of the time to send to another process. A missing value is NaN. */
interface PackedPoints {
  readonly labels: readonly string[];
  readonly values: Float64Array;
}

type PackedSeries = Omit<ChartSeries, 'data'> & { readonly data: PackedPoints };

/** A chart request whose points are packed. */
export type PackedRequest = Omit<ChartRequest, 'data' | 'series'> & {
  readonly data?: PackedPoints;
  readonly series?: readonly PackedSeries[];
};

export function packRequest({ data, series, ...fields }: ChartRequest): PackedRequest {
  return {
    ...fields,
    ...(data && { data: packPoints(data) }),
    ...(series && { series: series.map((each) => ({ ...each, data: packPoints(each.data) })) }),
  };
}

export function unpackRequest({ data, series, ...fields }: PackedRequest): ChartRequest {
  return {
    ...fields,
    ...(data && { data: unpackPoints(data) }),
    ...(series && { series: series.map((each) => ({ ...each, data: unpackPoints(each.data) })) }),
  };
}

function packPoints(points: readonly DataPoint[]): PackedPoints {
  return {
    labels: points.map(({ label }) => label),
    values: Float64Array.from(points, ({ value }) => value ?? NaN),
  };
}

function unpackPoints({ labels, values }: PackedPoints): DataPoint[] {
  return labels.map((label, i) => {
    const value = values[i] ?? NaN;
    return { label, value: Number.isNaN(value) ? null : value };
  });
}
