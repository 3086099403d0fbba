const opening = '<think>';
const closing = '</think>';

export interface Parts {
  readonly text: string;
  readonly thoughts: string;
}

/**
 * Returns a function that separates thoughts (`<think>…</think>` at the beginning of a text) from the text, piece by
 * piece. `isLast` releases text that was held back because it could have become a tag.
 */
export function separateThoughts(): (piece: string, isLast?: boolean) => Parts {
  let place: 'start' | 'thoughts' | 'gap' | 'answer' = 'start';
  let held = '';
  return (piece, isLast = false) => {
    if (place === 'answer') return { text: piece, thoughts: '' };
    held += piece;
    let thoughts = '';
    if (place === 'start') {
      const text = held.trimStart();
      if (text.startsWith(opening)) {
        place = 'thoughts';
        held = text.slice(opening.length);
      } else if (isLast || !opening.startsWith(text)) place = 'answer';
    }
    if (place === 'thoughts') {
      const end = held.indexOf(closing);
      const length = end >= 0 ? end : isLast ? held.length : held.length - partialLength(held);
      thoughts = held.slice(0, length);
      held = held.slice(end >= 0 ? end + closing.length : length);
      if (end >= 0) place = 'gap';
    }
    if (place === 'gap') {
      held = held.trimStart();
      if (held !== '') place = 'answer';
    }
    return { text: place === 'answer' ? held : '', thoughts };
  };
}

/** The length of the part at the end of a text that may be the beginning of the closing tag. */
function partialLength(text: string): number {
  for (let length = closing.length - 1; length > 0; length -= 1) {
    if (text.endsWith(closing.slice(0, length))) return length;
  }
  return 0;
}
