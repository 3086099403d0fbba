const special = /[<>&"]/;
const entities: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' };

/** Text as XML content or as an attribute in double quotes. Every text of a request is escaped here. */
export function escaped(text: string): string {
  return special.test(text) ? text.replace(/[<>&"]/g, (character) => entities[character] ?? '') : text;
}
