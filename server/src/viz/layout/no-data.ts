import { ink } from '../palette.ts';
import type { Shape } from '../scene.ts';
import { capHeight, type Box, type Sizes } from './sizes.ts';
import { textWidth } from './text-width.ts';

/** Says so where the data would be. A picture too small for the words shows a dash. */
export function noData(room: Box, { text, hair }: Sizes): readonly Shape[] {
  const x = (room.left + room.right) / 2;
  const y = (room.top + room.bottom) / 2;
  const size = text * 1.15;
  if (textWidth('No data', size) > room.right - room.left || size > room.bottom - room.top) {
    const reach = (room.right - room.left) / 4;
    return [{ kind: 'rules', stroke: ink.zero, width: hair, lines: [[x - reach, y, x + reach, y]] }];
  }
  const words = { x, y: y + (size * capHeight) / 2, text: 'No data' };
  return [
    { kind: 'texts', size, weight: 'regular', fill: ink.label, anchor: 'middle', angle: 0, texts: [words] },
  ];
}
