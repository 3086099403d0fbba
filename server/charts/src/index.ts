/** Charts as SVG, PNG and PDF. */
import { layout } from './layout/layout.ts';
import { loadFonts, missingGlyphs } from './paint/font-files.ts';
import { paintPdf } from './paint/pdf.ts';
import { paintPng } from './paint/png.ts';
import { chartFrom } from './request/chart.ts';
import type { ChartRequest } from './request/generated/request.ts';
import type { Scene } from './scene.ts';

export { loadFonts } from './paint/font-files.ts';
export * from './svg.ts';

/** A PNG or PDF. */
export interface Picture {
  readonly bytes: Buffer;
  /** The characters that no installed font can draw. */
  readonly missing: string;
}

/** Thrown if a library has drawn a picture but cannot encode it. */
export class EncodingError extends Error {
  override readonly name = 'EncodingError';
}

/** Draws a chart. Throws InvalidChart or EncodingError. */
export function renderPng(request: ChartRequest): Picture {
  return render(request, 'png', paintPng);
}

/** Draws a chart. Throws InvalidChart or EncodingError. */
export function renderPdf(request: ChartRequest): Picture {
  return render(request, 'pdf', paintPdf);
}

function render(
  request: ChartRequest,
  format: 'png' | 'pdf',
  paint: (scene: Scene) => () => Buffer,
): Picture {
  loadFonts();
  const scene = layout(chartFrom(request, format));
  const encode = paint(scene);
  try {
    return { bytes: encode(), missing: missingGlyphs(scene) };
  } catch (cause) {
    throw new EncodingError('The picture cannot be encoded.', { cause });
  }
}
