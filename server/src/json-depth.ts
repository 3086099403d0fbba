/** Whether a JSON value has more than this many levels: `JSON.stringify` overflows the stack on a very deep value. */
export function depthExceeds(value: unknown, levels: number): boolean {
  if (levels < 0) return true;
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((child) => depthExceeds(child, levels - 1));
}
