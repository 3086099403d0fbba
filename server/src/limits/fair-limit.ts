import { Problem, type Holder } from '../contract/problem.ts';

/** The share of a limit that one caller may use. At least four callers are needed to use up a limit. */
const callerShare = 1 / 4;

const holdersMax = 3;

interface FairLimitOptions {
  /** Describes the metric that has the limit's name. Undefined for a limit without a metric. */
  readonly help: string | undefined;
  /** The amount that a caller that uses nothing may take beyond the limit. */
  readonly smallMax?: number;
  /** The amount that one caller may use, instead of a quarter of the limit. */
  readonly callerMax?: number;
  /** The sentence and the `Retry-After` of a rejection. */
  readonly sentence?: string;
  readonly retryAfterS?: number;
}

/**
 * Limits how much of something, such as memory, all callers may use together. One caller may use a quarter of the
 * limit. Three exceptions let every caller make progress:
 *
 * - A caller that uses nothing may take more than its quarter. Otherwise a single large request could never be
 *   accepted.
 * - While nothing is in use, any amount fits, for the same reason.
 * - A caller that uses nothing may take a small amount beyond the limit, until twice the limit is in use. So callers
 *   that use up the limit do not lock out the others.
 */
export class FairLimit {
  /**
   * The 503 for a caller without capacity. One object for all, because capturing a stack trace costs more than the
   * rejection.
   */
  readonly rejection: Problem;
  readonly max: number;
  /** The setting of the limit, or its metric if it has no setting. */
  readonly name: string;
  readonly help: string | undefined;
  readonly callerMax: number;
  readonly #smallMax: number;
  readonly #byCaller = new Map<string, number>();
  #inUse = 0;

  constructor(
    max: number,
    name: string,
    { help, smallMax = 1, callerMax, sentence, retryAfterS = 1 }: FairLimitOptions,
  ) {
    this.max = max;
    this.name = name;
    this.help = help;
    this.#smallMax = smallMax;
    this.callerMax = callerMax ?? Math.ceil(max * callerShare);
    const findHolders = (): Holder[] => this.#largestHolders();
    this.rejection = new Problem('Overloaded', sentence, { retryAfterS, limit: name, findHolders });
  }

  /** The callers that use something. */
  callers(): string[] {
    return [...this.#byCaller.keys()];
  }

  inUseBy(callerId: string): number {
    return this.#byCaller.get(callerId) ?? 0;
  }

  /** The amount that all callers use. */
  get inUse(): number {
    return this.#inUse;
  }

  /** Returns true if this amount fits into the limit and into the caller's share. */
  hasCapacity(callerId: string, amount = 1): boolean {
    const inUse = this.inUseBy(callerId);
    if (inUse === 0 && amount <= this.#smallMax) return this.#inUse + amount <= 2 * this.max;
    const fitsShare = inUse === 0 || inUse + amount <= this.callerMax;
    return fitsShare && (this.#inUse === 0 || this.#inUse + amount <= this.max);
  }

  /** Takes an amount and returns true. Without capacity for the amount, takes nothing and returns false. */
  tryAcquire(callerId: string, amount = 1): boolean {
    if (!this.hasCapacity(callerId, amount)) return false;
    this.acquire(callerId, amount);
    return true;
  }

  /** Takes an amount, even beyond the limit. */
  acquire(callerId: string, amount = 1): void {
    this.#byCaller.set(callerId, this.inUseBy(callerId) + amount);
    this.#inUse += amount;
  }

  /** Gives back what was taken. */
  release(callerId: string, amount = 1): void {
    const inUse = this.inUseBy(callerId) - amount;
    if (inUse === 0) this.#byCaller.delete(callerId);
    else this.#byCaller.set(callerId, inUse);
    this.#inUse -= amount;
  }

  #largestHolders(): Holder[] {
    const descending = [...this.#byCaller].toSorted(([, a], [, b]) => b - a);
    return descending.slice(0, holdersMax).map(([user, inUse]) => ({ user, in_use: inUse }));
  }
}
