import { accept, svgOf, withChart, type RenderedChart, type RenderedSvg } from './charts.ts';
import { jsonBody } from './json-body.ts';
import { retryable } from './call.ts';
import type { RequestOptions } from './options.ts';
import type { ChartRequest, VizStatus } from './resources.ts';
import { resultOf, type Result } from './result.ts';
import type { Transport } from './transport.ts';

/** Operations that render charts. */
export interface Viz {
  /**
   * Service status and supported formats. Reports that charts can be rendered, and in which formats.
   *
   * @example
   * const { renders } = await client.viz.getStatus();
   */
  getStatus(options?: RequestOptions): Result<VizStatus>;
  /**
   * Render a chart to SVG. The chart as SVG markup, with real text, a name and a description for screen readers, and
   * without external references. It looks the same in every page, because it inherits no style of text. The response is
   * JSON unless `Accept` names `image/svg+xml`. This method requests the markup itself.
   *
   * @example
   * const { svg } = await client.viz.renderSvg({
   *   chart_type: 'bar',
   *   title: 'Tasks by status',
   *   data: [{ label: 'todo', value: 7 }, { label: 'done', value: 12 }],
   * });
   */
  renderSvg(chart: ChartRequest, options?: RequestOptions): Result<RenderedSvg>;
  /**
   * Render a chart to PNG. The chart as a PNG picture of `width` by `height` pixels, times `scale`. The response is base64
   * in JSON unless `Accept` names `image/png`. This method requests the bytes.
   *
   * @example
   * const png = await client.viz.renderPng({ chart_type: 'line', data: [{ label: 'Mon', value: 3 }] });
   * const address = URL.createObjectURL(png.toBlob());
   */
  renderPng(chart: ChartRequest, options?: RequestOptions): Result<RenderedChart>;
  /**
   * Render a chart to PDF. The chart as a PDF document of one page with real text. The response is base64 in JSON unless
   * `Accept` names `application/pdf`. This method requests the bytes.
   *
   * @example
   * const pdf = await client.viz.renderPdf({ chart_type: 'pie', data: [{ label: 'Work', value: 6 }] });
   * console.log(pdf.mediaType, pdf.bytes.length);
   */
  renderPdf(chart: ChartRequest, options?: RequestOptions): Result<RenderedChart>;
}

const asBytes = { parseAs: 'arrayBuffer' } as const;

export function createViz({ api, send }: Transport): Viz {
  return {
    getStatus: (options) =>
      resultOf(send(retryable('getVizStatus', options), (init) => api.GET('/api/v1/viz', { ...init }))),
    renderSvg: (chart, options) => {
      const body = jsonBody(chart);
      const sent = send(retryable('renderSvg', options, accept('image/svg+xml')), async (init) =>
        withChart(
          await api.POST('/api/v1/viz/render/svg', { ...init, ...body, ...asBytes }),
          'image/svg+xml',
        ),
      );
      return resultOf(sent, svgOf);
    },
    renderPng: (chart, options) => {
      const body = jsonBody(chart);
      const sent = send(retryable('renderPng', options, accept('image/png')), async (init) =>
        withChart(await api.POST('/api/v1/viz/render/png', { ...init, ...body, ...asBytes }), 'image/png'),
      );
      return resultOf(sent);
    },
    renderPdf: (chart, options) => {
      const body = jsonBody(chart);
      const sent = send(retryable('renderPdf', options, accept('application/pdf')), async (init) =>
        withChart(
          await api.POST('/api/v1/viz/render/pdf', { ...init, ...body, ...asBytes }),
          'application/pdf',
        ),
      );
      return resultOf(sent);
    },
  };
}
