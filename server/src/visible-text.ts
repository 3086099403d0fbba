const visible = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Returns true for a text with a character that can be seen: neither white space nor a control, joiner or blank sign. */
export function isVisible(text: string): boolean {
  return visible.test(text);
}

/** The keyword `x-visible` of the contract, for Ajv. An empty text is refused by `minLength`, or means null. */
export const visibleKeyword = {
  keyword: 'x-visible',
  type: 'string' as const,
  validate: (_: unknown, text: string): boolean => text === '' || isVisible(text),
};
