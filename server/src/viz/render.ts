import { inspect } from 'node:util';
import {
  EncodingError,
  InvalidChart,
  renderPdf,
  renderPng,
  renderSvg,
  type ChartError,
  type ChartRequest,
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

export function render({ format, request }: Job): Result {
  try {
    if (format === 'svg') return { picture: renderSvg(request), missing: '' };
    const { bytes, missing } = format === 'png' ? renderPng(request) : renderPdf(request);
    return { picture: bytes.toString('base64'), missing };
  } catch (error) {
    if (error instanceof InvalidChart) return { invalid: error.errors.slice(0, fieldErrorsMax) };
    const encoding = format === 'png' ? 'PNG_ENCODE_ERROR' : 'PDF_SAVE_ERROR';
    return { failed: error instanceof EncodingError ? encoding : 'RENDER_ERROR', reason: inspect(error) };
  }
}
