/** An SQL expression that fails unless the condition is true. Plain SQL can raise an error only by dividing by zero. */
export function assert(condition: string): string {
  return `1 / case when ${condition} then 1 else 0 end`;
}
