import type { ChartRequest, DataPoint } from '@worktable/charts/svg';

/** Points as two lists, which take a fifth of the time to send to another process. A missing value is NaN. */
interface PackedPoints {
  readonly labels: readonly string[];
  readonly values: Float64Array;
}

/** A chart request whose points are packed. */
export interface PackedRequest {
  readonly fields: Omit<ChartRequest, 'data' | 'series'>;
  readonly data: PackedPoints | undefined;
  readonly series: readonly { readonly name: string; readonly data: PackedPoints }[] | undefined;
}

export function packRequest({ data, series, ...fields }: ChartRequest): PackedRequest {
  return {
    fields,
    data: data && packPoints(data),
    series: series?.map((each) => ({ name: each.name, data: packPoints(each.data) })),
  };
}

export function unpackRequest({ fields, data, series }: PackedRequest): ChartRequest {
  return {
    ...fields,
    ...(data && { data: unpackPoints(data) }),
    ...(series && { series: series.map((each) => ({ name: each.name, data: unpackPoints(each.data) })) }),
  };
}

function packPoints(points: readonly DataPoint[]): PackedPoints {
  const values = new Float64Array(points.length);
  const labels = points.map(({ label, value }, i) => {
    values[i] = value ?? NaN;
    return label;
  });
  return { labels, values };
}

function unpackPoints({ labels, values }: PackedPoints): DataPoint[] {
  return labels.map((label, i) => {
    const value = values[i] ?? NaN;
    return { label, value: Number.isNaN(value) ? null : value };
  });
}
