/** A JSON object whose members are not known. */
export type Json = Readonly<Record<string, unknown>>;

/** The value if it is a JSON object. */
export function asObject(value: unknown): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
}
