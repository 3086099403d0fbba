import type { Text } from '../scene.ts';
import { shortenedApart } from './distinct-texts.ts';
import { capHeight, type Sizes } from './sizes.ts';
import { textWidth } from './text-width.ts';

interface Room {
  readonly labels: readonly string[];
  readonly start: number;
  readonly step: number;
  readonly size: number;
  readonly sizes: Sizes;
  readonly bottom: number;
  readonly heightMax: number;
}

/** Turned labels that end below their points. Undefined if they do not fit, or if two different labels would look alike. */
export function turnedLabels(
  { labels, start, step, size, sizes, bottom, heightMax }: Room,
  angle: 45 | 90,
  mayShorten: boolean,
): { readonly top: number; readonly texts: readonly Text[] } | undefined {
  const sine = Math.sin((angle * Math.PI) / 180);
  const letterHeight = size * (angle === 45 ? 1 : 0.3);
  if (step * sine < size || heightMax < size * 4) return undefined;
  const byHeight = (heightMax - letterHeight) / sine - size * 0.3;
  const widthMaxOf = (index: number): number =>
    angle === 90 ? byHeight : Math.min(byHeight, (start + index * step - sizes.margin / 2) / sine - size);
  if (!mayShorten && labels.some((label, i) => textWidth(label, size) > widthMaxOf(i))) return undefined;
  const texts = shortenedApart(labels, widthMaxOf, { size });
  if (texts?.every((text, i) => text !== '' || labels[i] === '') !== true) return undefined;
  const height = Math.max(...texts.map((text) => textWidth(text, size))) * sine + letterHeight;
  const top = bottom - height - size * 0.3;
  const [right, down] = angle === 45 ? [size * 0.35, size * 1.1] : [(size * capHeight) / 2, size * 0.45];
  return {
    top,
    texts: texts.map((text, i) => ({ x: start + i * step + right, y: top + down, text })),
  };
}
