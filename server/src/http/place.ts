import type { ServerResponse } from 'node:http';
import type { Problem } from '../contract/problem.ts';
import type { Limits } from '../limits/limits.ts';

export type PlaceLimits = Pick<Limits, 'places' | 'bytes' | 'eventStreams'>;

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
  #places = 0;
  #bytes = 0;
  #streams = 0;

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
    places.acquire(callerId);
    this.#places = 1;
  }

  /** The 503 for a caller without capacity for bytes. */
  get rejection(): Problem {
    return this.#limits.bytes.rejection;
  }

  /** Sets the number of bytes, even beyond the limit. */
  setBytes(bytes: number): void {
    const more = (this.#response.closed ? 0 : bytes) - this.#bytes;
    if (more > 0) this.#limits.bytes.acquire(this.#callerId, more);
    else this.#limits.bytes.release(this.#callerId, -more);
    this.#bytes += more;
  }

  /** Sets the number of bytes. If the caller has no capacity for more, changes nothing and returns false. */
  trySetBytes(bytes: number): boolean {
    const more = bytes - this.#bytes;
    if (more > 0 && !this.#limits.bytes.hasCapacity(this.#callerId, more)) return false;
    this.setBytes(bytes);
    return true;
  }

  /** Makes the request an event stream, which holds no place. Throws if no further stream may be opened. */
  becomeStream(): void {
    const { eventStreams } = this.#limits;
    if (!eventStreams.tryAcquire(this.#callerId)) throw eventStreams.rejection;
    this.#streams = 1;
    this.giveBack();
  }

  /** Gives the place back, because the response takes long. */
  giveBack(): void {
    this.#limits.places.release(this.#callerId, this.#places);
    this.#places = 0;
  }

  /** Ends the request. Everything that it uses is released when the connection has taken the response. */
  end(): void {
    if (this.#response.closed) this.#release();
    else
      this.#response.once('close', () => {
        this.#release();
      });
  }

  #release(): void {
    this.giveBack();
    this.setBytes(0);
    this.#limits.eventStreams.release(this.#callerId, this.#streams);
    this.#streams = 0;
  }
}
