/** Whether a user may hold one more of `max`. Each may hold a tenth of them, and at least one, so that no user takes all. */
export function isWithinShare(count: (userId?: string) => number, max: number, userId: string): boolean {
  return count() < max && count(userId) < Math.max(1, Math.floor(max / 10));
}
