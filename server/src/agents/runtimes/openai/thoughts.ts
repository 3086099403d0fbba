/** What a model has written, separated into its thoughts and its answer. */
export interface Parts {
  readonly text: string;
  readonly thoughts: string;
}

const opening = '<think>';
const closing = '</think>';

/**
 * Returns a function that separates thoughts (`<think>…</think>` at the beginning of a text) from the text, piece by
 * piece. `isLast` releases text that was held back because it could have become a tag.
 */
export function separateThoughts(): (piece: string, isLast?: boolean) => Parts {
  let place: 'start' | 'thoughts' | 'answer' = 'start';
  let held = '';
  return (piece, isLast = false) => {
    if (place === 'answer') return { text: piece, thoughts: '' };
    held += piece;
    // White space alone decides nothing, and trimming the held text after each piece would take quadratic time.
    if (!isLast && piece.trim() === '') return { text: '', thoughts: '' };
    if (place === 'start') {
      const text = held.trimStart();
      if (!isLast && opening.startsWith(text)) return { text: '', thoughts: '' };
      place = text.startsWith(opening) ? 'thoughts' : 'answer';
      if (place === 'answer') return { text: held, thoughts: '' };
      held = text.slice(opening.length);
    }
    const end = held.indexOf(closing);
    if (end >= 0) {
      place = 'answer';
      return { text: held.slice(end + closing.length), thoughts: held.slice(0, end) };
    }
    // The end of a piece may be the beginning of the closing tag.
    const length = isLast ? held.length : Math.max(0, held.length - closing.length + 1);
    const thoughts = held.slice(0, length);
    held = held.slice(length);
    return { text: '', thoughts };
  };
}

/** Separates thoughts that have no opening tag, because some chat templates put the tag into the prompt. */
export function separateUnopened(text: string): Parts {
  const end = text.includes(opening) ? -1 : text.indexOf(closing);
  if (end < 0) return { text, thoughts: '' };
  return { text: text.slice(end + closing.length).trimStart(), thoughts: text.slice(0, end) };
}
