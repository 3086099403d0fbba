const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const firstStrongIsolate = '\u2068';
const popDirectionalIsolate = '\u2069';

/**
 * Makes a text have the direction of its first letter wherever it is drawn. Otherwise Arabic and Hebrew would end with
 * their punctuation, numbers and Latin words on the right.
 */
export function isolated(text: string): string {
  return rightToLeft.test(text) ? `${firstStrongIsolate}${text}${popDirectionalIsolate}` : text;
}
