// The characters beyond Latin-1 that the fonts built into every PDF reader can show.
const beyondLatin1 = new Set('€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ');

/** Returns true if the built-in fonts have every character of a text: printable Western European Latin. */
export function isCp1252(text: string): boolean {
  for (const character of text) {
    const code = character.charCodeAt(0);
    const isLatin1 = (code >= 0x20 && code <= 0x7e) || (code >= 0xa1 && code <= 0xff && code !== 0xad);
    if (!isLatin1 && !beyondLatin1.has(character)) return false;
  }
  return true;
}
