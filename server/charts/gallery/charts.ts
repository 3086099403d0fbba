import { chartKindNames, chartKinds, type ChartKind } from '../src/request/chart-kinds.ts';
import type { ChartRequest, ChartSeries } from '../src/svg.ts';
import type { Data } from './series.ts';

export type Request = ChartRequest;
export type Cases = Readonly<Record<string, Request>>;
export type SeveralSeries = ChartSeries[];

type Untitled = [points: Data | SeveralSeries, more?: Request];
type Titled = [title: string, ...Untitled];
type Draw = (...args: Untitled | Titled) => Request;

/** Creates requests of one kind, from an optional title, the data of one or several series, and other fields. */
function kind(fields: Request): Draw {
  return (...args) => {
    const [title, points, more] = isTitled(args) ? args : [undefined, ...args];
    const data = isSeveral(points) ? { series: points } : { data: points };
    return { ...fields, ...(title !== undefined && { title }), ...data, ...more };
  };
}

function isTitled(args: Untitled | Titled): args is Titled {
  return typeof args[0] === 'string';
}

function isSeveral(points: Data | SeveralSeries): points is SeveralSeries {
  return points.some((each) => 'data' in each);
}

export const ofKind = (name: ChartKind): Draw => kind({ chart_type: name });
export const everyKind = chartKindNames.map(ofKind);
export const kindsWith = (option: keyof (typeof chartKinds)[ChartKind]['options']): Draw[] =>
  chartKindNames.filter((name) => chartKinds[name].options[option] === true).map(ofKind);
export const bar = kind({});
export const horizontal = kind({ orientation: 'horizontal' });
export const line = ofKind('line');
export const area = kind({ chart_type: 'line', area: true });
export const pie = ofKind('pie');
export const donut = kind({ chart_type: 'pie', donut: true });

export const stacked = { stacked: true } as const;
export const dark = { theme: 'dark' } as const;
export const transparent = { background: 'transparent' } as const;

export function size(width: number, height: number): Request {
  return { width, height };
}
