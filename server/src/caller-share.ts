/** Whether one more fits. A caller may have a tenth of all, and at least one, so that nobody can take everything. */
export function isWithinShare(count: (userId?: string) => number, max: number, userId: string): boolean {
  return count() < max && count(userId) < Math.max(1, Math.floor(max / 10));
}
