import { defaults, type ChartRequest } from './generated/request.ts';

/** A request with a value for each field that has a default. */
export type FullRequest = ChartRequest & Required<Pick<ChartRequest, keyof typeof defaults>>;

export function withDefaults(request: ChartRequest): FullRequest {
  return {
    ...request,
    chart_type: request.chart_type ?? defaults.chart_type,
    width: request.width ?? defaults.width,
    height: request.height ?? defaults.height,
    scale: request.scale ?? defaults.scale,
    stacked: request.stacked ?? defaults.stacked,
    orientation: request.orientation ?? defaults.orientation,
    x_type: request.x_type ?? defaults.x_type,
    locale: request.locale ?? defaults.locale,
    theme: request.theme ?? defaults.theme,
  };
}
