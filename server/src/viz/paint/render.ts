import { white } from '../color.ts';
import { blankScene, type Scene } from '../scene.ts';
import { registerFonts } from './font-files.ts';
import { missingGlyphs } from './missing-glyphs.ts';
import { paintPdf } from './pdf.ts';
import { paintPng } from './png.ts';

/** What a render process draws. It gets one job at a time. */
export interface Job {
  readonly format: 'png' | 'pdf';
  readonly scene: Scene;
}

/** The picture, and its characters that no installed font can draw. */
export interface Painted {
  readonly base64: string;
  readonly missing: string;
}

export type Result =
  | Painted
  | { readonly failed: 'RENDER_ERROR' | 'PNG_ENCODE_ERROR' | 'PDF_SAVE_ERROR'; readonly reason: string };

const formats = {
  png: { paint: paintPng, failure: 'PNG_ENCODE_ERROR' },
  pdf: { paint: paintPdf, failure: 'PDF_SAVE_ERROR' },
} as const;

/** Paints and encodes. A failure says which of the two failed. */
export function paint({ format, scene }: Job): Result {
  let encode: () => Buffer;
  try {
    encode = formats[format].paint(scene);
  } catch (error) {
    return { failed: 'RENDER_ERROR', reason: reasonOf(error) };
  }
  try {
    return { base64: encode().toString('base64'), missing: missingGlyphs(scene) };
  } catch (error) {
    return { failed: formats[format].failure, reason: reasonOf(error) };
  }
}

/** Loads the fonts and renders each format once, because the first text in a process is slow. */
export function warmUp(): void {
  registerFonts();
  for (const text of ['0', 'Я']) {
    const style = { kind: 'texts', size: 12, fill: white, texts: [{ x: 1, y: 9, text }] } as const;
    const shapes = [style, { ...style, weight: 'bold' } as const];
    const scene = blankScene(16, 16, shapes);
    paint({ format: 'png', scene });
    paint({ format: 'pdf', scene });
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
