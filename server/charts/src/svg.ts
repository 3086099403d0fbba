/** Charts as SVG, without native modules. */
import { layout } from './layout/layout.ts';
import { paintSvg } from './paint/svg.ts';
import { chartFrom } from './request/chart.ts';
import type { ChartRequest } from './request/generated/request.ts';

export { chartErrors, InvalidChart, type ChartError } from './request/chart-errors.ts';
export { chartKindNames, chartKinds, type ChartKind } from './request/chart-kinds.ts';
export type { ChartRequest, ChartSeries, DataPoint, ReferenceLine } from './request/generated/request.ts';
export { withDefaults, type FullRequest } from './request/request.ts';

/** Draws a chart. Throws InvalidChart. */
export function renderSvg(request: ChartRequest): string {
  return paintSvg(layout(chartFrom(request)));
}
