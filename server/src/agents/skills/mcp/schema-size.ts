import { isObject } from '../../../json.ts';

const referencesMax = 1000;
const levelsMax = 64;
const bytesMax = 64 * 1024;
// Ajv compiles a schema of this size in 0.2 s.
const valuesMax = 5000;

/**
 * Counts the values of a schema as if each reference were replaced by its target. Infinite for a schema above a limit,
 * and for references other than JSON pointers, whose targets are not known here.
 */
export function expandedSizeOf(root: unknown): number {
  if (JSON.stringify(root).length > bytesMax) return Infinity;
  let references = 0;
  let values = 0;
  const visit = (value: unknown, level: number): boolean => {
    if (!isObject(value)) return true;
    if (level > levelsMax) return false;
    return Object.entries(value).every(([name, child]) => {
      values += 1;
      if (values > valuesMax || foreignReferences.has(name)) return false;
      if (name !== '$ref' || typeof child !== 'string') return visit(child, level + 1);
      references += 1;
      const target = targetOf(child, root);
      return references <= referencesMax && target !== undefined && visit(target, level + 1);
    });
  };
  return visit(root, 1) ? values : Infinity;
}

/** Keywords that refer to, or change, targets of references in other ways than by a JSON pointer. */
const foreignReferences: ReadonlySet<string> = new Set([
  '$id',
  '$anchor',
  '$dynamicRef',
  '$dynamicAnchor',
  '$recursiveRef',
  '$recursiveAnchor',
]);

/** The target of a JSON pointer in a fragment (RFC 6901, section 6). */
function targetOf(reference: string, root: unknown): unknown {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return undefined;
  return reference
    .slice(2)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (value, part) => (isObject(value) && Object.hasOwn(value, part) ? value[part] : undefined),
      root,
    );
}

/** Counts the values of JSON. */
export function sizeOf(value: unknown): number {
  if (!isObject(value)) return 1;
  return Object.values(value).reduce<number>((size, child) => size + sizeOf(child), 1);
}
