const lengthMax = 200;

/** The pointer to a member or an element of the value at a pointer (RFC 6901, section 3), shortened like all pointers. */
export function childPointer(pointer: string, name: string): string {
  return shortenPointer(`${pointer}/${escape(name.slice(0, lengthMax))}`);
}

/**
 * A pointer of at most 200 characters; a longer one is cut and ends with `…`. Without this, each error could carry a pointer
 * as long as the body.
 */
export function shortenPointer(pointer: string): string {
  return pointer.length <= lengthMax ? pointer : `${pointer.slice(0, lengthMax - 1).toWellFormed()}…`;
}

/** The names of a pointer, from the outermost to the innermost. */
export function namesOf(pointer: string): string[] {
  return pointer.split('/').slice(1).map(unescape);
}

function escape(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

function unescape(name: string): string {
  return name.replaceAll('~1', '/').replaceAll('~0', '~');
}
