import type { Call, Handler } from '../operation.ts';
import { chartFrom } from './chart.ts';
import { layout } from './layout/layout.ts';
import { paintSvg } from './paint/svg.ts';
import type { RenderPool } from './render-pool.ts';
import type { Scene } from './scene.ts';

export interface VizServices {
  readonly renderPool: RenderPool;
}

export const getVizStatus: Handler<'getVizStatus', VizServices> = () =>
  Promise.resolve({ status: 200, body: { status: 'ok', service: 'viz', renders: ['svg', 'png', 'pdf'] } });

/** Renders in this process: painting an SVG takes less time than sending its scene to a render process. */
export const renderSvg: Handler<'renderSvg', VizServices> = (call) =>
  Promise.resolve({ status: 200, body: { svg: paintSvg(sceneOf(call)) } });

export const renderPng: Handler<'renderPng', VizServices> = async (call, services) => ({
  status: 200,
  body: { png_base64: await painted('png', call, services) },
});

export const renderPdf: Handler<'renderPdf', VizServices> = async (call, services) => ({
  status: 200,
  body: { pdf_base64: await painted('pdf', call, services) },
});

/** Rejects a picture while the render queue is full, before its body is read. */
export function requireRenderCapacity({ renderPool }: VizServices): void {
  renderPool.refuseWhenFull();
}

function painted(format: 'png' | 'pdf', call: ChartCall, { renderPool }: VizServices): Promise<string> {
  // Check again before the costly layout: many requests may have been admitted at the same time.
  renderPool.refuseWhenFull();
  return renderPool.paint(format, sceneOf(call));
}

type ChartCall = Call<'renderSvg' | 'renderPng' | 'renderPdf'>;

function sceneOf({ body }: ChartCall): Scene {
  return layout(chartFrom(body));
}
