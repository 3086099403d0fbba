// Characters that XML 1.0 cannot represent, and lone surrogates.
const unwritable = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\p{Surrogate}]/u;
const blank = /(?:[^\S\u00a0\u202f]|[\x7f-\x9f\p{Noncharacter_Code_Point}])+/gu;
// Marks beyond the eighth of a letter would cover other texts; these characters would change the direction of others.
const intrusive = /(?<=\p{M}{8})\p{M}|[\u202a-\u202e\u2066-\u2069]/gu;

/** Returns true if XML can contain the text. */
export function isWritable(text: string): boolean {
  return isPlain(text) || !unwritable.test(text);
}

/** The text as it is drawn: in NFC, trimmed, with one space or line break for blanks and control characters. */
export function displayed(text: string): string {
  if (isPlain(text)) return text;
  const spaceFor = (blanks: string): string => (/[\n\u2028]/.test(blanks) ? '\n' : ' ');
  return text.normalize('NFC').replace(intrusive, '').replace(blank, spaceFor).trim();
}

/** Returns true for one line of ASCII without spaces at its ends or two in a row, which can be drawn as it is. */
export function isPlain(text: string): boolean {
  // A space at the start counts as a second one.
  let lastSpace = -1;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 0x20 && code < 0x7f) continue;
    if (code !== 0x20 || lastSpace === i - 1) return false;
    lastSpace = i;
  }
  return text === '' || lastSpace < text.length - 1;
}
