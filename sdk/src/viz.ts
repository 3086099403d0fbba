import { chartOf, svgOf, type RenderedChart, type RenderedSvg } from './charts.ts';
import { jsonBody } from './json-body.ts';
import { retryable, nonRetryable, type RequestOptions } from './options.ts';
import type { ChartRequest, VizStatus } from './resources.ts';
import { resultOf, type Result } from './result.ts';
import type { Transport } from './transport.ts';

/** Operations that render charts. */
export interface Viz {
  /**
   * Service status and supported formats. Says that the chart area is up and which formats it renders.
   *
   * @example
   * const { renders } = await client.viz.getStatus();
   */
  getStatus(options?: RequestOptions): Result<VizStatus>;
  /**
   * Render a chart to SVG. The chart as SVG markup: real text, a title and a description for screen readers, and nothing
   * that refers outside the picture.
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
   * Render a chart to base64 PNG. The chart as a PNG picture of `width` by `height` pixels, in base64. The result
   * contains the decoded bytes.
   *
   * @example
   * const png = await client.viz.renderPng({ chart_type: 'line', data: [{ label: 'Mon', value: 3 }] });
   * const address = URL.createObjectURL(png.toBlob());
   */
  renderPng(chart: ChartRequest, options?: RequestOptions): Result<RenderedChart>;
  /**
   * Render a chart to base64 PDF. The chart as a PDF document of one page with real text, in base64. The result
   * contains the decoded bytes.
   *
   * @example
   * const pdf = await client.viz.renderPdf({ chart_type: 'pie', data: [{ label: 'Work', value: 6 }] });
   * console.log(pdf.mediaType, pdf.bytes.length);
   */
  renderPdf(chart: ChartRequest, options?: RequestOptions): Result<RenderedChart>;
}

export function createViz({ api, send }: Transport): Viz {
  return {
    getStatus: (options) =>
      resultOf(send(retryable('getVizStatus', options), (init) => api.GET('/api/v1/viz', { ...init }))),
    renderSvg: (chart, options) => {
      const call = nonRetryable('renderSvg', options);
      const body = jsonBody(chart);
      const sent = send(call, (init) => api.POST('/api/v1/viz/render/svg', { ...init, ...body }));
      return resultOf(sent, ({ svg }) => svgOf(svg));
    },
    renderPng: (chart, options) => {
      const call = nonRetryable('renderPng', options);
      const body = jsonBody(chart);
      const sent = send(call, (init) => api.POST('/api/v1/viz/render/png', { ...init, ...body }));
      return resultOf(sent, ({ png_base64 }) => chartOf('image/png', png_base64));
    },
    renderPdf: (chart, options) => {
      const call = nonRetryable('renderPdf', options);
      const body = jsonBody(chart);
      const sent = send(call, (init) => api.POST('/api/v1/viz/render/pdf', { ...init, ...body }));
      return resultOf(sent, ({ pdf_base64 }) => chartOf('application/pdf', pdf_base64));
    },
  };
}
