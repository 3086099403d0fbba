/** An error and the errors that caused it, the outermost first. */
export function causesOf(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}

/** The codes of the network errors that caused an error, such as ECONNREFUSED. */
export function networkCodesOf(error: unknown): string[] {
  return causesOf(error)
    .map((cause) => ('code' in cause ? String(cause.code) : ''))
    .filter((code) =>
      /^(?:E(?:AI_)?[A-Z]+|[A-Z]+_[A-Z_]*(?:CERT|SIGNATURE)[A-Z_]*|UND_ERR_[A-Z_]+)$/.test(code),
    );
}
