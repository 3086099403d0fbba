/** The parts of opentype.js that `font-widths` uses. @types/opentype.js would add the types of browsers everywhere. */
declare module 'opentype.js' {
  interface Font {
    readonly unitsPerEm: number;
    readonly charToGlyphIndex: (character: string) => number;
    readonly glyphs: { readonly get: (index: number) => { readonly advanceWidth: number } };
  }
  const opentype: { readonly parse: (bytes: ArrayBuffer) => Font };
  export default opentype;
}
