const visible = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Returns true for a text with a character that can be seen: neither white space nor a control, joiner or blank sign. */
export function isVisible(text: string): boolean {
  return visible.test(text);
}
