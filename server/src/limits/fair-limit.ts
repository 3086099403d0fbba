import { Problem, type Holder, type LimitName } from '../contract/problem.ts';

/** The share of a limit that one caller may hold. So at least four callers are needed to use up a limit. */
const callerShare = 1 / 4;

const holdersMax = 3;

interface FairLimitOptions {
  /** The amount that a caller without anything may take beyond the limit. */
  readonly small?: number;
  /** The amount that one caller may hold, instead of a quarter. */
  readonly callerMax?: number;
  /** The sentence and the `Retry-After` of a rejection. */
  readonly sentence?: string;
  readonly retryAfterS?: number;
}

/**
 * Limits how much of something, such as memory, all callers may hold together. One caller may hold a quarter of the
 * limit. Three exceptions let every caller make progress:
 *
 * - A caller that holds nothing may take more than its quarter. Otherwise a single large request could never be
 *   accepted.
 * - While nobody holds anything, any amount fits, for the same reason.
 * - A caller that holds nothing may take a small amount beyond the limit, until twice the limit is held. So callers
 *   that use up the limit do not lock out the others.
 */
export class FairLimit {
  /**
   * The 503 for a caller without room. One object for all, because capturing a stack trace costs more than the
   * rejection.
   */
  readonly rejection: Problem;
  readonly max: number;
  readonly callerMax: number;
  readonly #small: number;
  readonly #byCaller = new Map<string, number>();
  #held = 0;

  constructor(
    max: number,
    limit: LimitName,
    { small = 1, callerMax, sentence, retryAfterS = 1 }: FairLimitOptions = {},
  ) {
    this.max = max;
    this.#small = small;
    this.callerMax = callerMax ?? Math.ceil(max * callerShare);
    const findHolders = (): Holder[] => this.#largestHolders();
    this.rejection = new Problem('Overloaded', sentence, { retryAfterS, limit, findHolders });
  }

  /** The callers that hold something. */
  holders(): string[] {
    return [...this.#byCaller.keys()];
  }

  heldBy(callerId: string): number {
    return this.#byCaller.get(callerId) ?? 0;
  }

  /** The amount that all callers hold. */
  get held(): number {
    return this.#held;
  }

  /** Returns true if this amount fits into the limit and into the caller's share. */
  hasRoom(callerId: string, amount = 1): boolean {
    const held = this.heldBy(callerId);
    if (held === 0 && amount <= this.#small) return this.#held + amount <= 2 * this.max;
    const fitsShare = held === 0 || held + amount <= this.callerMax;
    return fitsShare && (this.#held === 0 || this.#held + amount <= this.max);
  }

  /** Takes an amount and returns true. If there is no room, takes nothing and returns false. */
  tryAcquire(callerId: string, amount = 1): boolean {
    if (!this.hasRoom(callerId, amount)) return false;
    this.acquire(callerId, amount);
    return true;
  }

  /** Takes an amount, even without room. */
  acquire(callerId: string, amount = 1): void {
    this.#byCaller.set(callerId, this.heldBy(callerId) + amount);
    this.#held += amount;
  }

  /** Gives back what was taken. */
  release(callerId: string, amount = 1): void {
    const held = this.heldBy(callerId) - amount;
    if (held === 0) this.#byCaller.delete(callerId);
    else this.#byCaller.set(callerId, held);
    this.#held -= amount;
  }

  #largestHolders(): Holder[] {
    const descending = [...this.#byCaller].toSorted(([, a], [, b]) => b - a);
    return descending.slice(0, holdersMax).map(([user, held]) => ({ user, held }));
  }
}
