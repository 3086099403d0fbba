import { isObject } from './json.ts';

const lengthMax = 200;

/** The pointer to a member or element of the value at `pointer` (RFC 6901, section 3), shortened if it is long. */
export function childPointer(pointer: string, name: string): string {
  const escaped = name.slice(0, lengthMax).replaceAll('~', '~0').replaceAll('/', '~1');
  return shortenPointer(`${pointer}/${escaped}`);
}

/**
 * Limits a pointer to 200 characters, the last of which is then `…`. Otherwise each error could have a pointer as long
 * as the body.
 */
export function shortenPointer(pointer: string): string {
  return pointer.length <= lengthMax ? pointer : `${pointer.slice(0, lengthMax - 1).toWellFormed()}…`;
}

/** The target of a reference by a JSON pointer in a fragment (RFC 6901, section 6); undefined if there is none. */
export function targetOf(reference: string, root: unknown): unknown {
  if (!/^#(?:\/|$)/.test(reference)) return undefined;
  return namesOf(reference).reduce<unknown>(
    (value, name) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined),
    root,
  );
}

/** The names in a pointer, outermost first. */
export function namesOf(pointer: string): string[] {
  const names = pointer.split('/').slice(1);
  return names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}
