// Made from openapi/ by `npm run generate`. Edit the contract, not this file.

export interface components {
    schemas: {
        /** @description A label and its value. */
        readonly DataPoint: {
            readonly label: string;
            /**
             * @description Null is a gap, which a line crosses with dots. A pie takes neither null nor a negative number. Numbers are
             *     from -1e300 to 1e300.
             */
            readonly value: number | null;
        };
        /** @description Values with a name and a color. */
        readonly ChartSeries: {
            readonly name: string;
            /**
             * @description Draws the series in grey, so that it uses up no color of the theme. Use it for a plan, a target or an earlier
             *     year.
             */
            readonly muted?: boolean;
            readonly data: readonly components["schemas"]["DataPoint"][];
        };
        readonly ReferenceLine: {
            readonly value: number;
            readonly label?: string;
        };
        /** @description A chart to render: its type, data, size and colors. */
        readonly ChartRequest: {
            /**
             * @default bar
             * @enum {string}
             */
            readonly chart_type?: "bar" | "line" | "pie";
            /** @description Chart title. */
            readonly title?: string | null;
            /** @description A line under the title. */
            readonly subtitle?: string | null;
            /** @description A line at the bottom. */
            readonly source?: string | null;
            /**
             * @description Pixels.
             * @default 800
             */
            readonly width?: number;
            /**
             * @description Pixels.
             * @default 600
             */
            readonly height?: number;
            /**
             * @description Pixels of a PNG for each pixel of `width`. Width and height times the scale are at most 4096. SVG and PDF
             *     ignore it.
             * @default 1
             */
            readonly scale?: number;
            /** @description Points to plot. Without points, the chart says "No data". Required unless `series` has the data. */
            readonly data?: readonly components["schemas"]["DataPoint"][];
            /**
             * @description Several values for each label, instead of `data`. Names are at the ends of lines, next to the last stack, or
             *     in a legend. The labels are in an order that agrees with every series, if there is one. A label without a
             *     point is a gap, except in lines over time. If a series repeats a label, each repetition is a label of its own.
             *     At most 20,000 points in total, which must fit into a body of 1 MiB.
             */
            readonly series?: readonly components["schemas"]["ChartSeries"][];
            /** @description The order of the labels of `data` or `series`. Other labels follow. */
            readonly labels?: readonly string[];
            /**
             * @description Stacks the bars of `series`, or its areas. Negative values are stacked downwards from zero.
             * @default false
             */
            readonly stacked?: boolean;
            /** @description Fills the lines of a line chart to zero. With `stacked`, null counts as zero. */
            readonly area?: boolean;
            /** @description Draws a pie as a ring, with its sum in the middle. */
            readonly donut?: boolean;
            /**
             * @description Horizontal bars have room for long or many labels. Labels are at the left of the bars, the first at the top.
             *     `x_title` still names the category axis.
             * @default vertical
             * @enum {string}
             */
            readonly orientation?: "vertical" | "horizontal";
            /**
             * @description CSS colors instead of the theme's. They may be names, hex with 3, 4, 6 or 8 digits, rgb(), rgba(), hsl() and
             *     hsla(). Colors repeat if there are fewer than points or series.
             */
            readonly colors?: readonly string[];
            /**
             * @description The CSS color of bars below zero, for bars of one series. Without `colors`, the default is the theme's second
             *     color.
             */
            readonly negative_color?: string;
            /** @description The title of the category axis. A pie has no axes. */
            readonly x_title?: string | null;
            /**
             * @description Whether labels are times. With `auto`, they are times if all are ISO 8601 dates or date-times such as
             *     `2026-01`, `2026-Q1` or `2026-01-31T18:30+01:00`. Points are placed by time. Bars have a gap for each missing
             *     time, if distances are regular and at most three of four places stay empty.
             * @default auto
             * @enum {string}
             */
            readonly x_type?: "auto" | "time" | "category";
            /**
             * @description The IANA time zone in which times are shown, such as `Europe/Berlin`. Without it, labels that all have the same
             *     offset keep their wall time, and other times are shown in UTC.
             */
            readonly time_zone?: string;
            /** @description The title of the value axis. */
            readonly y_title?: string | null;
            /** @description Where the value axis begins, at most 1e300 from zero. With bars and areas, the axis must still include zero. */
            readonly y_min?: number;
            /** @description Where the value axis ends, at most 1e300 from zero. Values outside are cut off. */
            readonly y_max?: number;
            /**
             * @description `log` has equal distances for equal ratios. All values must be above zero, and bars start at the lower end.
             * @enum {string}
             */
            readonly y_scale?: "linear" | "log";
            /**
             * @description `auto` leaves out the numbers of the value axis if every value is written, and the axis has no limits,
             *     logarithms or unlabelled `lines`. A small line chart without `lines` also omits them if its axis begins at
             *     zero and its last value is in large digits; it then has only its first and last label. `none` draws no axes.
             * @enum {string}
             */
            readonly axes?: "auto" | "none";
            /**
             * @description Reference lines across the plot, at most 1e300 from zero. The axis includes them, unless its limits exclude
             *     them.
             */
            readonly lines?: readonly components["schemas"]["ReferenceLine"][];
            /**
             * @description A BCP 47 language tag, such as `de` or `pt-BR`. It decides how numbers and times are written, and in which
             *     language the words of a chart are.
             * @default en
             */
            readonly locale?: string;
            /**
             * @description How values are written; as percent, 0.25 is 25%. `number` has no short units, `compact` has them (1.2M), and
             *     `currency` writes amounts of `currency`. Without a format, short units are used where they hide no difference.
             * @enum {string}
             */
            readonly format?: "number" | "compact" | "percent" | "currency";
            /** @description An ISO 4217 code, such as EUR, for the format currency. */
            readonly currency?: string;
            /** @description Text directly after each value, such as " ms" or "°C". In charts with axes, a unit of more than two letters stands once, under the title, and so does a long unit of millions or more, such as "Mio. €". Differences of less than a hundredth of such a unit are not shown. */
            readonly unit?: string;
            /** @description The decimals of every value. Ticks have more where their steps need them. */
            readonly decimals?: number;
            /**
             * @description Which values are written. `auto`: the values of bars and the sums of stacks, if all fit; the shares of slices;
             *     and the last value of each line or named stack, unless points are closer than about 4 pixels. Sums are left
             *     out if all are equal, or if a stack has values above and below zero. `always`: also the values of points,
             *     parts of stacks and slices, as many as fit. `last`: the last value of each line, however close its points are;
             *     only for line charts.
             * @enum {string}
             */
            readonly values?: "auto" | "always" | "never" | "last";
            /**
             * @description The colors of background, text and data. `auto` is light, and dark in an SVG whose reader prefers dark pages. An
             *     opaque `background` decides whether text is dark or light.
             * @default light
             * @enum {string}
             */
            readonly theme?: "light" | "dark" | "auto";
            /**
             * @description A CSS color, or `transparent`, instead of the theme's. Text on it has a contrast of at least 4.5 to 1. Behind
             *     a translucent background, the theme's own background is assumed, or white in a PDF.
             */
            readonly background?: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type DataPoint = components['schemas']['DataPoint'];
export type ChartSeries = components['schemas']['ChartSeries'];
export type ReferenceLine = components['schemas']['ReferenceLine'];
export type ChartRequest = components['schemas']['ChartRequest'];
export const defaults = {"chart_type":"bar","width":800,"height":600,"scale":1,"stacked":false,"orientation":"vertical","x_type":"auto","locale":"en","theme":"light"} as const;
