import {
  EncodingError,
  InvalidChart,
  renderPdf,
  renderPng,
  renderSvg,
  type ChartError,
  type ChartRequest,
  type Picture,
} from '@worktable/charts';
import { fieldErrorsMax } from '../contract/problem.ts';

/** What a render process draws. It gets one job at a time. */
export interface Job {
  readonly format: 'svg' | 'png' | 'pdf';
  readonly request: ChartRequest;
}

/** The SVG, or the other picture in base64, and the characters of a PNG or PDF that no installed font can draw. */
export interface Rendered {
  readonly picture: string;
  readonly missing: string;
}

export type Result =
  | Rendered
  | { readonly invalid: readonly ChartError[] }
  | { readonly failed: 'RENDER_ERROR' | 'PNG_ENCODE_ERROR' | 'PDF_SAVE_ERROR'; readonly reason: string };

const formats = {
  svg: {
    render: (request: ChartRequest) => ({ picture: renderSvg(request), missing: '' }),
    failure: 'RENDER_ERROR',
  },
  png: { render: (request: ChartRequest) => inBase64(renderPng(request)), failure: 'PNG_ENCODE_ERROR' },
  pdf: { render: (request: ChartRequest) => inBase64(renderPdf(request)), failure: 'PDF_SAVE_ERROR' },
} as const;

export function render({ format, request }: Job): Result {
  try {
    return formats[format].render(request);
  } catch (error) {
    if (error instanceof InvalidChart) return { invalid: error.errors.slice(0, fieldErrorsMax) };
    if (error instanceof EncodingError)
      return { failed: formats[format].failure, reason: reasonOf(error.cause) };
    return { failed: 'RENDER_ERROR', reason: reasonOf(error) };
  }
}

function inBase64({ bytes, missing }: Picture): Rendered {
  return { picture: bytes.toString('base64'), missing };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
