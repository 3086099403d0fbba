interface Header {
  readonly 'Chart-Missing-Glyphs'?: string;
}

const namedMax = 8;

/** The number of characters that no font of the server can draw, and the first of them: `2; U+4E2D, U+6587`. */
export function missingGlyphsHeader(missing: string): Header {
  const characters = Array.from(missing);
  if (characters.length === 0) return {};
  const names = characters.slice(0, namedMax).map(codePoint).join(', ');
  return { 'Chart-Missing-Glyphs': `${characters.length}; ${names}` };
}

/** The notation of a code point. Headers are ASCII, so they cannot contain the character itself. */
function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
