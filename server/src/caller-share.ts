/** Whether a user may hold one more of `max`. Each may hold a tenth of them, and at least one, so that no user takes all. */
export function isWithinShare(count: (userId?: string) => number, max: number, userId: string): boolean {
  return count() < max && count(userId) < Math.max(1, Math.floor(max / 10));
}

/** How much each caller holds of what all share, in whole numbers. */
export class CallerAmounts {
  readonly #byCaller = new Map<string, number>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  of(callerId: string): number {
    return this.#byCaller.get(callerId) ?? 0;
  }

  /** Adds to what a caller holds; a negative amount gives back. */
  add(callerId: string, amount: number): void {
    const held = this.of(callerId) + amount;
    if (held === 0) this.#byCaller.delete(callerId);
    else this.#byCaller.set(callerId, held);
    this.#total += amount;
  }
}
