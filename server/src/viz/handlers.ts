import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import {
  chartErrors,
  InvalidChart,
  renderSvg as renderSvgText,
  type ChartError,
  type ChartRequest,
} from '@worktable/charts/svg';
import type { JsonLimits } from '../lib/json-limits.ts';
import { fieldErrors, Problem, validationError } from '../contract/problem.ts';
import { matchesETag } from '../lib/ids.ts';
import type { Handler, Caller } from '../contract/operation.ts';
import type { Job } from './worker.ts';
import type { RenderPool } from './render-pool.ts';

export interface VizServices {
  readonly renderPool: RenderPool;
  /** The key that signs addresses of charts. */
  readonly linkKey: string;
  /** The address at which clients reach the servers; undefined if it is not configured. */
  readonly publicUrl: string | undefined;
}

export const getVizStatus: Handler<'getVizStatus', VizServices> = () =>
  Promise.resolve({ status: 200, body: { status: 'ok', service: 'viz', renders: ['svg', 'png', 'pdf'] } });

// Drawing an SVG of at most this many points takes less time than sending the request to a render process.
const pointsDrawnHere = 500;

export const renderSvg: Handler<'renderSvg', VizServices> = async ({ body, caller }, services, context) => {
  const drawn = await draw({ format: 'svg', request: body }, caller, services);
  return context.prefersFile(mediaTypes.svg) ? fileOf(drawn) : { status: 200, body: { svg: drawn.picture } };
};

export const renderPng: Handler<'renderPng', VizServices> = async ({ body, caller }, services, context) => {
  const drawn = await draw({ format: 'png', request: body }, caller, services);
  if (context.prefersFile(mediaTypes.png)) return fileOf(drawn);
  return { status: 200, headers: drawn.headers, body: { png_base64: drawn.picture } };
};

export const renderPdf: Handler<'renderPdf', VizServices> = async ({ body, caller }, services, context) => {
  const drawn = await draw({ format: 'pdf', request: body }, caller, services);
  if (context.prefersFile(mediaTypes.pdf)) return fileOf(drawn);
  return { status: 200, headers: drawn.headers, body: { pdf_base64: drawn.picture } };
};

// The length of an address that mail programs, browsers and proxies accept.
const linkLengthMax = 6144;

/** The last segment of the address is the compressed chart with its time of expiry, a signature, and the format. */
export const linkChart: Handler<'linkChart', VizServices> = ({ body }, services, { origin }) => {
  const { chart, format, expires_in: seconds } = body;
  const errors = chartErrors(chart, format).map((error) => ({ ...error, pointer: `/chart${error.pointer}` }));
  if (errors.length > 0) throw chartProblem(errors);
  const expiresAt = Math.floor(Date.now() / 1000) + seconds;
  const packed = deflateRawSync(JSON.stringify([expiresAt, chart])).toString('base64url');
  const link = `${packed}.${signatureOf(packed, format, services.linkKey)}.${format}`;
  const url = `${services.publicUrl ?? origin}/api/v1/viz/links/${link}`;
  if (url.length > linkLengthMax) {
    const detail = `must fit into an address of ${linkLengthMax} characters, but needs ${url.length}. Leave out points or fields`;
    throw validationError([{ pointer: '/chart', code: 'too_large', detail }]);
  }
  return { status: 200, body: { url, expires_at: new Date(expiresAt * 1000).toISOString() } };
};

/** Draws nothing for a client that already has the picture, because anybody may repeat the request. */
export const getLinkedChart: Handler<'getLinkedChart', VizServices> = async (request, services) => {
  const [, packed = '', signature = '', format = ''] = linkPattern.exec(request.path.link) ?? [];
  const own = signatureOf(packed, format, services.linkKey);
  if (signature === '' || !timingSafeEqual(Buffer.from(signature), Buffer.from(own)))
    throw new Problem('Not found', unknownLink);
  const json = inflateRawSync(Buffer.from(packed, 'base64url')).toString();
  // The casts are safe: the signature shows that `linkChart` has packed this JSON, and has written this format.
  const [expiresAt, chart] = JSON.parse(json) as [number, ChartRequest];
  const secondsLeft = expiresAt - Math.floor(Date.now() / 1000);
  if (secondsLeft <= 0) throw new Problem('Link expired');
  const storedHeaders = {
    ETag: `W/"${signature}"`,
    'Cache-Control': `public, max-age=${secondsLeft}`,
    ...forPages,
  };
  const seen = request.headers['if-none-match'];
  if (seen !== undefined && matchesETag(seen, `"${signature}"`))
    return { status: 304, headers: storedHeaders, body: null };
  const job = { format: format as Job['format'], request: chart };
  const file = fileOf(await draw(job, request.caller, services));
  return { ...file, headers: { ...file.headers, ...storedHeaders } };
};

const linkPattern = /^([\w-]+)\.([\w-]{22})\.(\w+)$/;
const unknownLink =
  'This service has not made this address, or a part of it is missing. Copy it as it was returned.';

/** Headers that let pages of other origins show the chart. Browsers also store headers of a 304 (RFC 9111, 4.3.4). */
const forPages = {
  'Content-Security-Policy': "default-src 'none';style-src 'unsafe-inline';frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'cross-origin',
} as const;

/** The first 132 bits of the HMAC, as 22 characters. */
function signatureOf(packed: string, format: string, key: string): string {
  return createHmac('sha256', key).update(`${packed}.${format}`).digest('base64url').slice(0, 22);
}

const mediaTypes = { svg: 'image/svg+xml', png: 'image/png', pdf: 'application/pdf' } as const;

/** Room for the largest charts, of 10,000 points with all their fields. */
export const chartLimits: JsonLimits = { depthMax: 16, valuesMax: 150_000 };

/** What the operations that take a chart have in common. Texts of charts are not stored. */
export const drawing = {
  failure: 'RENDER_ERROR',
  isSafe: true,
  usesDatabase: false,
  jsonLimits: chartLimits,
  storesText: false,
} as const;

/** Draws in a render process, except small SVGs. */
async function draw(job: Job, caller: Caller, { renderPool }: VizServices) {
  const { format } = job;
  const { data = [], series = [] } = job.request;
  const points = series.reduce((sum, each) => sum + each.data.length, data.length);
  try {
    if (format === 'svg' && points <= pointsDrawnHere)
      return { format, picture: renderSvgText(job.request), headers: {} };
    const { picture, missing } = await renderPool.paint(job, caller.id);
    return { format, picture, headers: missingGlyphsHeader(missing) };
  } catch (error) {
    throw error instanceof InvalidChart ? chartProblem(error.errors) : error;
  }
}

/** The response with the picture itself. */
function fileOf({ format, picture, headers }: Awaited<ReturnType<typeof draw>>) {
  const bytes = Buffer.from(picture, format === 'svg' ? 'utf8' : 'base64');
  const ETag = `"${hash('sha256', bytes, 'base64url').slice(0, 22)}"`;
  const disposition = `inline; filename="chart.${format}"`;
  const fileHeaders = { 'Content-Type': mediaTypes[format], 'Content-Disposition': disposition, ETag };
  return { status: 200, headers: { ...headers, ...fileHeaders }, body: bytes } as const;
}

/** The Problem for a chart that cannot be drawn. */
function chartProblem(errors: readonly ChartError[]): Problem {
  const listed = fieldErrors(errors);
  const [first] = listed;
  if (first?.code !== 'unsupported_character') return validationError(errors);
  const sentence = `The SVG cannot be parsed. ${first.detail} Remove it.`;
  return new Problem('SVG_PARSE_ERROR', sentence, { errors: listed });
}

const namedMax = 8;

/** How many characters no font of the server can draw, and the first of them: `2; U+4E2D, U+6587`. */
function missingGlyphsHeader(missing: string): { readonly 'Chart-Missing-Glyphs'?: string } {
  // A header must be ASCII, so it cannot have the characters themselves.
  const codePoints = Array.from(missing, (each) => (each.codePointAt(0) ?? 0).toString(16).toUpperCase());
  if (codePoints.length === 0) return {};
  const named = codePoints.slice(0, namedMax).map((hex) => `U+${hex.padStart(4, '0')}`);
  return { 'Chart-Missing-Glyphs': `${codePoints.length}; ${named.join(', ')}` };
}
