import { renderPdf, renderPng, renderSvg, type ChartRequest } from '../src/index.ts';
import type { Contender } from './contenders.ts';
import type { Input } from './inputs.ts';

/** Renders a request to the bytes of a picture, in this process like the peers. */
export const worktable = {
  svg: (input) => renderSvg(requestOf(input)),
  png: (input) => renderPng(requestOf(input)).bytes,
  pdf: (input) => renderPdf(requestOf(input)).bytes,
} satisfies Contender;

function requestOf({ kind, title, labels, values }: Input): ChartRequest {
  return { chart_type: kind, title, data: labels.map((label, i) => ({ label, value: values[i] ?? 0 })) };
}
