import type { Anchor, Text, Texts } from '../../scene.ts';
import { textWidth } from '../../text/text-width.ts';

/** A name and its value on one line. The name is regular, and the value bold. Either may be empty. */
export type NamedValue = readonly [name: string, value: string];

/** The space between a name and its value, in units of the text size. */
const gap = 0.42;

export function namedWidth([name, value]: NamedValue, size: number): number {
  const between = name === '' || value === '' ? 0 : size * gap;
  return textWidth(name, size) + between + textWidth(value, size, 'bold');
}

/** The names and the values of lines, each with its anchor at its position. A value is at the end of its line. */
export function namedTexts(
  lines: readonly (Pick<Text, 'x' | 'y'> & { readonly line: NamedValue })[],
  style: Pick<Texts, 'size' | 'fill'> & { readonly anchor: Exclude<Anchor, 'middle'> },
  isRightToLeft: boolean,
): readonly Texts[] {
  const { size, anchor } = style;
  const side = anchor === 'start' ? 1 : -1;
  // Which text is next to the anchor: the name (0) or the value (1). The other text follows it.
  const first = (anchor === 'start') === isRightToLeft ? 1 : 0;
  return ([0, 1] as const).flatMap((part): readonly Texts[] => {
    const texts = lines
      .filter(({ line }) => line[part] !== '')
      .map(({ x, y, line }): Text => {
        const isFirst = part === first || line[first] === '';
        const beyond = isFirst ? 0 : textWidth(line[first], size, weights[first]) + size * gap;
        return { x: x + side * beyond, y, text: line[part] };
      });
    return texts.length === 0 ? [] : [{ kind: 'texts', ...style, weight: weights[part], texts }];
  });
}

const weights = ['regular', 'bold'] as const;
