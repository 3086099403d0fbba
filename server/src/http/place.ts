import type { ServerResponse } from 'node:http';
import type { Problem } from '../contract/problem.ts';
import type { Limits } from '../limits/limits.ts';

export type PlaceLimits = Pick<Limits, 'places' | 'bytes' | 'eventStreams'>;

/**
 * What the server holds for a request: a place, and the bytes of its body and then of its response. Everything counts
 * for the caller until the connection has taken the response.
 */
export class Place {
  readonly #limits: PlaceLimits;
  readonly #callerId: string;
  readonly #response: ServerResponse;
  #places = 0;
  #bytes = 0;
  #streams = 0;

  constructor(limits: PlaceLimits, callerId: string, response: ServerResponse) {
    this.#limits = limits;
    this.#callerId = callerId;
    this.#response = response;
  }

  /** Takes a place. Throws a rejection if the caller has no room for a place or for a byte. */
  take(): void {
    const { places, bytes } = this.#limits;
    if (!places.hasRoom(this.#callerId)) throw places.rejection;
    if (!bytes.hasRoom(this.#callerId)) throw bytes.rejection;
    places.acquire(this.#callerId);
    this.#places = 1;
  }

  /** The 503 for a caller without room for bytes. */
  get rejection(): Problem {
    return this.#limits.bytes.rejection;
  }

  /** Sets the number of bytes that are held, even beyond the limit. */
  hold(bytes: number): void {
    const more = (this.#response.closed ? 0 : bytes) - this.#bytes;
    if (more > 0) this.#limits.bytes.acquire(this.#callerId, more);
    else this.#limits.bytes.release(this.#callerId, -more);
    this.#bytes += more;
  }

  /** Sets the number of bytes that are held. If the caller has no room for more, changes nothing and returns false. */
  tryHold(bytes: number): boolean {
    const more = bytes - this.#bytes;
    if (more > 0 && !this.#limits.bytes.hasRoom(this.#callerId, more)) return false;
    this.hold(bytes);
    return true;
  }

  /**
   * Counts the request as an event stream and gives its place back. Throws the rejection if the caller has too many. A
   * second call does nothing.
   */
  becomeStream(): void {
    if (this.#streams > 0) return;
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

  /** Ends the request: what is held is released when the connection has taken the response. */
  end(): void {
    if (this.#response.closed) this.#release();
    else
      this.#response.once('close', () => {
        this.#release();
      });
  }

  #release(): void {
    this.giveBack();
    this.hold(0);
    this.#limits.eventStreams.release(this.#callerId, this.#streams);
    this.#streams = 0;
  }
}
