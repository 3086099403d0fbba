import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Middleware } from 'koa';
import type { FairLimit } from '../limits/fair-limit.ts';
import type { Limits } from '../limits/limits.ts';

/** The caller id of all requests without a token. */
export const strangers = '';

// Clients that ignore Retry-After would otherwise take time from the admitted requests. Only the response is delayed:
// the connection may belong to a proxy, whose next request may be another user's.
const delayMs = 200;

/**
 * What a request uses of the limits: a place or a long place, and the bytes of its body and then of its response.
 * Everything counts for the caller until the connection has taken the response.
 */
export class Place {
  readonly limits: Pick<Limits, 'places' | 'bytes' | 'longRequests'>;
  readonly #response: ServerResponse;
  #callerId = strangers;
  /** How much of each limit the request uses. */
  readonly #used = new Map<FairLimit, number>();

  constructor(limits: Place['limits'], response: ServerResponse) {
    this.limits = limits;
    this.#response = response;
  }

  /** Takes a place. If the caller has no capacity for a place or for a byte, rejects after a delay. */
  async admit(callerId: string): Promise<void> {
    const { places, bytes } = this.limits;
    this.#callerId = callerId;
    const full = [places, bytes].find((limit) => !limit.hasCapacity(callerId));
    if (full !== undefined) {
      await sleep(delayMs);
      throw full.rejection;
    }
    this.#set(places, 1);
  }

  /** Sets the number of bytes, even beyond the limit. After the connection has closed, nothing is kept. */
  setBytes(bytes: number): void {
    this.#set(this.limits.bytes, this.isClosed ? 0 : bytes);
  }

  /** Sets the number of bytes. If the caller has no capacity for more, changes nothing and returns false. */
  trySetBytes(bytes: number): boolean {
    const more = bytes - (this.#used.get(this.limits.bytes) ?? 0);
    if (more > 0 && !this.limits.bytes.hasCapacity(this.#callerId, more)) return false;
    this.setBytes(bytes);
    return true;
  }

  /** Returns true if the connection is closed, so that nobody can read the response. */
  get isClosed(): boolean {
    return this.#response.closed;
  }

  /** Replaces the place and the bytes with a long place. Without capacity for it, changes nothing and returns false. */
  becomeLong(callerMax?: number): boolean {
    const { places, longRequests } = this.limits;
    if (!longRequests.hasCapacity(this.#callerId, 1, callerMax)) return false;
    this.#set(longRequests, 1);
    this.#set(places, 0);
    this.setBytes(0);
    return true;
  }

  /** Releases everything that the request uses when the connection has taken the response. */
  [Symbol.dispose](): void {
    const release = (): void => {
      for (const limit of this.#used.keys()) this.#set(limit, 0);
    };
    if (this.isClosed) release();
    else this.#response.once('close', release);
  }

  #set(limit: FairLimit, amount: number): void {
    limit.add(this.#callerId, amount - (this.#used.get(limit) ?? 0));
    this.#used.set(limit, amount);
  }
}

/** Gives each request its place, and ends the place after the response. */
export function admission(limits: Place['limits']): Middleware<{ place: Place }> {
  return async (ctx, next) => {
    using place = new Place(limits, ctx.res);
    ctx.state.place = place;
    await next();
  };
}
