import type { Call, Gates, Handlers, OperationId } from '../operations.ts';
import { chartFrom } from './chart.ts';
import { layout } from './layout/layout.ts';
import { paintSvg } from './paint/svg.ts';
import type { Painters } from './painters.ts';
import type { Scene } from './scene.ts';

export interface VizServices {
  readonly painters: Painters;
}

type VizOperation = Extract<OperationId, 'getVizStatus' | 'renderSvg' | 'renderPng' | 'renderPdf'>;

export const vizHandlers: Handlers<VizServices, VizOperation> = {
  getVizStatus: () =>
    Promise.resolve({ status: 200, body: { status: 'ok', service: 'viz', renders: ['svg', 'png', 'pdf'] } }),

  // In this process: painting SVG takes less time than sending the picture to another.
  renderSvg: (call) => Promise.resolve({ status: 200, body: { svg: paintSvg(sceneOf(call)) } }),

  renderPng: async (call, { painters }) => ({
    status: 200,
    body: { png_base64: await painted('png', call, painters) },
  }),

  renderPdf: async (call, { painters }) => ({
    status: 200,
    body: { pdf_base64: await painted('pdf', call, painters) },
  }),
};

/** Painters that are busy keep up only where those whom they have no time for cost next to nothing. */
export const vizGates: Gates<VizServices> = {
  renderPng: paintersGate,
  renderPdf: paintersGate,
};

function paintersGate({ painters }: VizServices): void {
  painters.refuseWhenFull();
}

function painted(format: 'png' | 'pdf', call: ChartCall, painters: Painters): Promise<string> {
  // Many may have passed the gate together, and the layout is what they cost from here on.
  painters.refuseWhenFull();
  return painters.paint(format, sceneOf(call));
}

type ChartCall = Call<Exclude<VizOperation, 'getVizStatus'>>;

function sceneOf({ body }: ChartCall): Scene {
  return layout(chartFrom(body));
}
