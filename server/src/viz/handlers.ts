import type { Call, Handler, Representations } from '../operation.ts';
import { chartFrom, errorsOfRequest } from './chart.ts';
import { layout } from './layout/layout.ts';
import { paintSvg } from './paint/svg.ts';
import type { RenderPool } from './render-pool.ts';
import type { Scene } from './scene.ts';

export interface VizServices {
  readonly renderPool: RenderPool;
}

export const getVizStatus: Handler<'getVizStatus', VizServices> = () =>
  Promise.resolve({ status: 200, body: { status: 'ok', service: 'viz', renders: ['svg', 'png', 'pdf'] } });

/** Rendered in this process, because painting an SVG takes less time than sending its scene to a render process. */
export const renderSvg: Handler<'renderSvg', VizServices> = (call) =>
  Promise.resolve({ status: 200, body: { svg: paintSvg(sceneOf(call, 'screen')) } });

export const renderPng: Handler<'renderPng', VizServices> = async (call, services) => {
  const { base64, headers } = await painted('png', call, services);
  return { status: 200, headers, body: { png_base64: base64 } };
};

export const renderPdf: Handler<'renderPdf', VizServices> = async (call, services) => {
  const { base64, headers } = await painted('pdf', call, services);
  return { status: 200, headers, body: { pdf_base64: base64 } };
};

/** Only the size of the body limits the number of values in a chart. */
export const chartValuesMax = 1024 * 1024;

/** What the operations that draw have in common. Texts of charts are not stored. */
export const rendering = {
  failure: 'RENDER_ERROR',
  isSafe: true,
  findErrors: errorsOfRequest,
  bodyValuesMax: chartValuesMax,
  storesText: false,
} as const;

interface Picture {
  readonly base64: string;
  readonly headers: MissingGlyphs;
}

async function painted(
  format: 'png' | 'pdf',
  call: ChartCall,
  { renderPool }: VizServices,
): Promise<Picture> {
  // Check again before the costly layout, because many requests may have been admitted at the same time.
  renderPool.waiting.assertRoom(call.caller.id);
  const scene = sceneOf(call, format === 'pdf' ? 'paper' : 'screen');
  const { base64, missing } = await renderPool.paint({ format, scene }, call.caller.id);
  return { base64, headers: missingGlyphsHeader(missing) };
}

type ChartCall = Call<'renderSvg' | 'renderPng' | 'renderPdf'>;

function sceneOf({ body }: ChartCall, medium: 'screen' | 'paper'): Scene {
  return layout(chartFrom(body, medium));
}

interface MissingGlyphs {
  readonly 'Chart-Missing-Glyphs'?: string;
}

const namedMax = 8;

/** How many characters no font of the server can draw, and the first of them: `2; U+4E2D, U+6587`. */
function missingGlyphsHeader(missing: string): MissingGlyphs {
  const characters = Array.from(missing);
  if (characters.length === 0) return {};
  const names = characters.slice(0, namedMax).map(codePoint).join(', ');
  return { 'Chart-Missing-Glyphs': `${characters.length}; ${names}` };
}

/** The notation of a code point. A header must be ASCII, so it cannot have the character itself. */
function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** The pictures as files, for clients that accept them. */
export const svgItself: Representations<'renderSvg'> = {
  'image/svg+xml': { fileName: 'chart.svg', bytesOf: ({ svg }) => Buffer.from(svg) },
};

export const pngItself: Representations<'renderPng'> = {
  'image/png': { fileName: 'chart.png', bytesOf: ({ png_base64: text }) => Buffer.from(text, 'base64') },
};

export const pdfItself: Representations<'renderPdf'> = {
  'application/pdf': {
    fileName: 'chart.pdf',
    bytesOf: ({ pdf_base64: text }) => Buffer.from(text, 'base64'),
  },
};
