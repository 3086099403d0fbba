import type { Scene } from '../scene.ts';
import { registerFonts } from './font-files.ts';
import { missingLetters } from './missing-glyphs.ts';
import { paintPdf } from './pdf.ts';
import { paintPng } from './png.ts';

/** What the server asks of a painter, and what it answers. One job at a time. */
export interface Job {
  readonly format: 'png' | 'pdf';
  readonly scene: Scene;
}

export type Answer =
  /** The picture, and the letters in it for which this machine has no font. */
  | { readonly base64: string; readonly missing: string }
  | { readonly failed: 'RENDER_ERROR' | 'PNG_ENCODE_ERROR' | 'PDF_SAVE_ERROR'; readonly reason: string };

const formats = {
  png: { paint: paintPng, failure: 'PNG_ENCODE_ERROR' },
  pdf: { paint: paintPdf, failure: 'PDF_SAVE_ERROR' },
} as const;

/** Paints and encodes, and says which of the two has failed. */
export function paint({ format, scene }: Job): Answer {
  let encode: () => Buffer;
  try {
    encode = formats[format].paint(scene);
  } catch (error) {
    return { failed: 'RENDER_ERROR', reason: reasonOf(error) };
  }
  try {
    return { base64: encode().toString('base64'), missing: missingLetters(scene) };
  } catch (error) {
    return { failed: formats[format].failure, reason: reasonOf(error) };
  }
}

/** Loads the fonts and draws each format once, because the first text in a process takes long. */
export function warmUp(): void {
  registerFonts();
  for (const text of ['0', 'Я']) {
    const style = {
      kind: 'texts',
      size: 12,
      fill: { hex: '#000000', alpha: 1 },
      anchor: 'start',
      angle: 0,
    } as const;
    const shapes = (['regular', 'bold'] as const).map((weight) => ({
      ...style,
      weight,
      texts: [{ x: 1, y: 9, text }],
    }));
    const scene = { width: 16, height: 16, title: '', description: '', shapes };
    paint({ format: 'png', scene });
    paint({ format: 'pdf', scene });
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
