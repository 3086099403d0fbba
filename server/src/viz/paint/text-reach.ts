import { isCovered } from '../layout/text-width.ts';

/** How far a text reaches from its baseline, in sizes of the text. Hinting may add a pixel. */
export interface Reach {
  readonly above: number;
  readonly below: number;
}

// Of Arimo: the tallest and deepest letter of ASCII ($ and |), and of all the font.
const ofAscii: Reach = { above: 0.8, below: 0.28 };
const ofFont: Reach = { above: 1.1, below: 0.45 };
// Marks may be heaped on a letter without end, and other fonts have their own measures.
const unknown: Reach = { above: Infinity, below: Infinity };

const ascii = /^[\x20-\x7e]*$/;
const mark = /\p{M}/u;

export function reachOf(text: string): Reach {
  if (ascii.test(text)) return ofAscii;
  return isCovered(text) && !mark.test(text) ? ofFont : unknown;
}
