/** The program of a render process. It renders jobs for the server that forked it, and exits with that server. */
import { setPriority } from 'node:os';
import { inspect } from 'node:util';
import {
  EncodingError,
  InvalidChart,
  loadFonts,
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

/** An SVG, or a PNG or PDF in base64, and the characters of the PNG or PDF that no installed font can draw. */
export interface Rendered {
  readonly picture: string;
  readonly missing: string;
}

export type Result =
  | Rendered
  | { readonly invalid: readonly ChartError[] }
  | { readonly failed: 'RENDER_ERROR' | 'PNG_ENCODE_ERROR' | 'PDF_SAVE_ERROR'; readonly reason: string };

// Rendering gets a low priority, because the other requests of the server are short.
setPriority(10);
loadFonts();
process.on('message', (job: Job) => {
  // Ignores the error if the server has exited.
  process.send?.(render(job), undefined, undefined, () => undefined);
});
process.on('disconnect', () => {
  process.exit();
});
// Control-C sends a signal to every process of the terminal, but the server decides when its render processes exit.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);

function render({ format, request }: Job): Result {
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
