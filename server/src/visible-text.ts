const visible = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Returns true if a text has a visible character: not white space, and not a control, joiner or blank sign. */
export function isVisible(text: string): boolean {
  return visible.test(text);
}

/**
 * The keyword `x-visible` of the contract, for Ajv. An empty text passes here: it means null, or `minLength` refuses
 * it.
 */
export const visibleKeyword = {
  keyword: 'x-visible',
  type: 'string' as const,
  validate: (_: unknown, text: string): boolean => text === '' || isVisible(text),
};
