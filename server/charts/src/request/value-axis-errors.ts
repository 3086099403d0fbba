import { chartKinds } from './chart-kinds.ts';
import { pointErrors } from './chart-text.ts';
import type { ChartError } from './invalid-chart.ts';
import type { FullRequest } from './request.ts';

/** Errors of the fields of the value axis. */
export function valueAxisErrors(request: FullRequest): ChartError[] {
  // A chart without a value axis: `chart-kinds.ts` refuses these options.
  if (chartKinds[request.chart_type].options.y_min === undefined) return [];
  return [...limitErrors(request), ...zeroErrors(request), ...logErrors(request)];
}

function limitErrors(request: FullRequest): ChartError[] {
  const { y_min: min = -Infinity, y_max: max = Infinity } = request;
  const errors = axisErrors(request, Number.isFinite, {
    code: 'too_large',
    detail: 'must be a finite number',
  });
  if (errors.length > 0 || min < max) return errors;
  return [{ pointer: '/y_max', code: 'too_small', detail: 'must be above y_min' }];
}

/** Errors of invalid numbers of the axis and its lines. */
function axisErrors(
  { y_min: min, y_max: max, lines = [] }: FullRequest,
  isRight: (value: number) => boolean,
  error: Omit<ChartError, 'pointer'>,
): ChartError[] {
  const errors: ChartError[] = [];
  const check = (value: number | undefined, pointer: string): void => {
    if (value !== undefined && !isRight(value)) errors.push({ pointer, ...error });
  };
  check(min, '/y_min');
  check(max, '/y_max');
  lines.forEach(({ value }, i) => {
    check(value, `/lines/${i}/value`);
  });
  return errors;
}

/** Errors of an axis that does not start at zero: the length of bars and areas would not show their values. */
function zeroErrors(request: FullRequest): ChartError[] {
  const { chart_type: kind, area = false, y_min: min = 0, y_max: max = 0, y_scale: scale } = request;
  const { fromZero: marks } = chartKinds[kind];
  if (scale === 'log' || marks === 'none' || (marks === 'areas' && !area)) return [];
  const [above, below] = [
    `must not be above 0, where ${marks} start`,
    `must not be below 0, where ${marks} start`,
  ];
  const errors: ChartError[] = [];
  if (min > 0) errors.push({ pointer: '/y_min', code: 'too_large', detail: above });
  if (max < 0) errors.push({ pointer: '/y_max', code: 'too_small', detail: below });
  return errors;
}

function logErrors(request: FullRequest): ChartError[] {
  const { y_scale: scale, stacked, area = false } = request;
  if (scale !== 'log') return [];
  if (stacked || area) {
    const detail = 'must be linear in stacked charts and areas, which are measured from zero';
    return [{ pointer: '/y_scale', code: 'conflicting', detail }];
  }
  const isPositive = (value: number): boolean => value > 0;
  return [
    ...axisErrors(request, isPositive, notPositive),
    ...pointErrors(request, 'value', ({ value }) =>
      value === null || isPositive(value) ? undefined : notPositive,
    ),
  ];
}

const notPositive = { code: 'too_small', detail: 'must be above 0 on a logarithmic axis' } as const;
