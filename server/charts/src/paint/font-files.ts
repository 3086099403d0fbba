import { fileURLToPath } from 'node:url';
import { createCanvas, registerFont } from 'canvas';

/**
 * The shipped typeface, and preferred fonts for scripts that it lacks. Otherwise fontconfig would choose a font with
 * only two Tamil letters, and fonts with serifs for the other scripts.
 */
export const fontFamilies =
  'Arimo, "Noto Sans Tamil", "Noto Sans Sinhala", "Noto Sans Kannada", "Noto Sans Gujarati"';

let areLoaded = false;

/**
 * Loads the shipped typeface, as the first PNG or PDF does. Call it before the process creates a canvas. Throws if this
 * machine cannot draw text.
 */
export function loadFonts(): void {
  if (areLoaded) return;
  for (const [file, weight] of [
    ['Arimo-Regular.ttf', 'normal'],
    ['Arimo-Bold.ttf', 'bold'],
  ] as const) {
    registerFont(fileURLToPath(new URL(`../fonts/${file}`, import.meta.url)), { family: 'Arimo', weight });
  }
  if (!drawsGlyphs()) throw new Error('The shipped font cannot be drawn. Install fontconfig.');
  areLoaded = true;
}

/** Without a working font system, every character is drawn as the same box, or not at all. */
function drawsGlyphs(): boolean {
  const [first, second] = ['I', 'W'].map((letter) => {
    const context = createCanvas(32, 32).getContext('2d');
    context.font = '24px Arimo';
    context.fillText(letter, 2, 26);
    return context.canvas.toBuffer('raw');
  });
  return (
    first !== undefined && second !== undefined && first.some((byte) => byte !== 0) && !first.equals(second)
  );
}
