/**
 * A Postgres regular expression that finds a text and ignores case, accents and how Unicode composes letters. It lists
 * the forms of each letter, so that the collation of the database does not matter. It repeats nothing but accents, so a
 * search takes linear time.
 */
export function searchPattern(text: string): string {
  // In most alphabets, the patterns of all three are the same.
  const texts = new Set([text, text.normalize('NFC'), text.normalize('NFD')]);
  return [...new Set(Array.from(texts, patternOf))].join('|');
}

function patternOf(text: string): string {
  const letters = text.replaceAll(accents, '') || text;
  return Array.from(letters, (char) => {
    const forms = [...new Set(formsOf(char))].toSorted();
    return forms.length > 1 ? `[${forms.join('')}]` : char.replace(/[^\p{L}\p{M}\p{N}\s]/u, '\\$&');
  }).join(`${accents.source}*`);
}

const accents = /[\u0300-\u036f]/g;

function formsOf(char: string): readonly string[] {
  const letter = letterOf(char);
  const forms = [char, char.toLowerCase(), letter, ...(formsByLetter.get(letter) ?? [])];
  // Some letters have a capital of several letters: the capital of the ligature ﬁ is FI.
  return forms.filter((form) => Array.from(form).length === 1);
}

/**
 * The same text for all forms of a letter, such as σ, ς and Σ, with and without accents. The Turkish ı counts as a form
 * of I.
 */
function letterOf(char: string): string {
  const base = char.normalize('NFD').replaceAll(accents, '');
  return (base === '' ? char : base).toLowerCase().toUpperCase();
}

/**
 * The ranges of Unicode in which letters have more than two forms: Latin, Greek, Cyrillic, letter-like symbols and
 * ligatures.
 */
const ranges = [
  [0x41, 0x587],
  [0x1c80, 0x1c8f],
  [0x1e00, 0x1fff],
  [0x2126, 0x212b],
  [0xa64a, 0xa64b],
  [0xfb05, 0xfb06],
] as const;

const formsByLetter = Map.groupBy(
  ranges.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i)),
  ),
  letterOf,
);
