import { Problem } from '../contract/problem.ts';

/** The share of a limit that one caller may use. Usually, only four or more callers can use up a limit. */
const callerShare = 1 / 4;
/** How far beyond a limit a caller that uses nothing may go, as a share of the limit. */
const smallShare = 1 / 1024;

/**
 * Limits how much of something, such as memory, all callers may use together. One caller may use a quarter of it. So that
 * every caller makes progress, a caller that uses nothing may take more than its quarter, or a small amount beyond the
 * limit until twice the limit is in use. While nothing is in use, any amount fits.
 */
export class FairLimit {
  /** The 503 for a caller without capacity. One object for all, because capturing a stack trace takes time. */
  readonly rejection: Problem;
  readonly max: number;
  /** The name of the metric that shows how much is in use. */
  readonly name: string;
  readonly callerMax: number;
  readonly #byCaller = new Map<string, number>();
  #inUse = 0;

  constructor(max: number, name: string) {
    this.max = max;
    this.name = name;
    this.callerMax = Math.ceil(max * callerShare);
    this.rejection = new Problem('Overloaded', undefined, { retryAfterS: 1, cause: this });
  }

  /** The amount that all callers use. */
  get inUse(): number {
    return this.#inUse;
  }

  /** The callers that use something. */
  callers(): string[] {
    return [...this.#byCaller.keys()];
  }

  /** The three callers that use most. */
  largestHolders(): readonly { readonly user: string; readonly in_use: number }[] {
    const descending = [...this.#byCaller].toSorted(([, a], [, b]) => b - a);
    return descending.slice(0, 3).map(([user, inUse]) => ({ user, in_use: inUse }));
  }

  /** Returns true if this amount fits into the limit and into the caller's share, which is at most `callerMax`. */
  hasCapacity(callerId: string, amount = 1, callerMax = Infinity): boolean {
    const inUse = this.#byCaller.get(callerId) ?? 0;
    if (inUse === 0 && amount <= Math.ceil(this.max * smallShare))
      return this.#inUse + amount <= 2 * this.max;
    const fitsShare = inUse === 0 || inUse + amount <= Math.min(callerMax, this.callerMax);
    return fitsShare && (this.#inUse === 0 || this.#inUse + amount <= this.max);
  }

  /** Adds an amount to what a caller uses, even beyond the limit. A negative amount is given back. */
  add(callerId: string, amount: number): void {
    const inUse = (this.#byCaller.get(callerId) ?? 0) + amount;
    if (inUse === 0) this.#byCaller.delete(callerId);
    else this.#byCaller.set(callerId, inUse);
    this.#inUse += amount;
  }
}
