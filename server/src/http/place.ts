import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Middleware } from 'koa';
import type { Problem } from '../contract/problem.ts';
import type { FairLimit } from '../limits/fair-limit.ts';
import type { Limits } from '../limits/limits.ts';

type PlaceLimits = Pick<Limits, 'places' | 'bytes' | 'eventStreams'>;

/** The caller id of all requests without a token. */
export const strangers = '';

/**
 * What a request uses of the limits: a place or an event stream, and the bytes of its body and then of its response.
 * Everything counts for the caller until the connection has taken the response.
 */
export class Place {
  /** True if the caller had no capacity for the request. */
  isRejected = false;
  readonly #limits: PlaceLimits;
  readonly #response: ServerResponse;
  #callerId = strangers;
  /** How much of each limit the request uses. */
  readonly #used = new Map<FairLimit, number>();

  constructor(limits: PlaceLimits, response: ServerResponse) {
    this.#limits = limits;
    this.#response = response;
  }

  /**
   * Takes a place, before the body is received. Throws a rejection if the caller has no capacity for a place or for a
   * byte. Rejecting a request by its head is cheap.
   */
  admit(callerId: string): void {
    const { places, bytes } = this.#limits;
    this.#callerId = callerId;
    const full = [places, bytes].find((limit) => !limit.hasCapacity(callerId));
    this.isRejected = full !== undefined;
    if (full !== undefined) throw full.rejection;
    this.#set(places, 1);
  }

  /** Returns true if the connection is closed, so that nobody can read the response. */
  readonly hasLeft = (): boolean => this.#response.closed;

  /** The 503 for a caller without capacity for bytes. */
  get rejection(): Problem {
    return this.#limits.bytes.rejection;
  }

  /** Sets the number of bytes, even beyond the limit. */
  setBytes(bytes: number): void {
    this.#set(this.#limits.bytes, this.hasLeft() ? 0 : bytes);
  }

  /** Sets the number of bytes. If the caller has no capacity for more, changes nothing and returns false. */
  trySetBytes(bytes: number): boolean {
    const more = bytes - (this.#used.get(this.#limits.bytes) ?? 0);
    if (more > 0 && !this.#limits.bytes.hasCapacity(this.#callerId, more)) return false;
    this.setBytes(bytes);
    return true;
  }

  /** Makes the request an event stream, which holds no place. Throws if no further stream may be opened. */
  becomeStream(): void {
    const { eventStreams } = this.#limits;
    if (!eventStreams.hasCapacity(this.#callerId)) throw eventStreams.rejection;
    this.#set(eventStreams, 1);
    this.giveBack();
  }

  /** Gives the place and the bytes back, because the response takes long. */
  giveBack(): void {
    this.setBytes(0);
    this.#set(this.#limits.places, 0);
  }

  /** Ends the request. Everything that it uses is released when the connection has taken the response. */
  end(): void {
    const release = (): void => {
      for (const limit of this.#used.keys()) this.#set(limit, 0);
    };
    if (this.hasLeft()) release();
    else this.#response.once('close', release);
  }

  #set(limit: FairLimit, amount: number): void {
    const more = amount - (this.#used.get(limit) ?? 0);
    if (more > 0) limit.acquire(this.#callerId, more);
    else if (more < 0) limit.release(this.#callerId, -more);
    this.#used.set(limit, amount);
  }
}

// Clients that ignore Retry-After would otherwise take time from the admitted requests.
const delayMs = 200;

/**
 * Counts what each request uses, until its connection has taken the response. A rejected request is answered after a
 * delay. Only its response is delayed: the connection may belong to a proxy, whose next request may be another user's.
 */
export function admission(limits: PlaceLimits): Middleware<{ place: Place; error?: unknown }> {
  return async (ctx, next) => {
    const place = new Place(limits, ctx.res);
    ctx.state.place = place;
    try {
      await next();
      if (place.isRejected) await sleep(delayMs);
      // A problem is sent even if the caller has no capacity for its bytes.
      if (ctx.state.error !== undefined) place.setBytes(Buffer.byteLength(String(ctx.body)));
    } finally {
      place.end();
    }
  };
}
