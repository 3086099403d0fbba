import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from 'koa';
import { Place, type PlaceLimits } from './place.ts';
import { strangers } from './request/bearer.ts';
import type { RequestState } from './request/request-state.ts';

// Clients that ignore Retry-After would otherwise take time from the admitted requests.
const delayMs = 200;
// Requests that wait for their rejection take memory. Further ones are answered at once.
const delayedMax = 1000;

/** Admits requests: the only check of what callers hold, before a request is read. */
export class Admission {
  readonly #limits: PlaceLimits;
  #delayed = 0;

  constructor(limits: PlaceLimits) {
    this.#limits = limits;
  }

  /**
   * Takes a place for a request. Without room, rejects it by its head, which is cheap, after a delay. Only the response
   * is delayed: the connection may belong to a proxy, whose next request may be another user's.
   */
  async admit(ctx: Context, callerId: string): Promise<Place> {
    const state = ctx.state as RequestState;
    const place = new Place(this.#limits, callerId, ctx.res);
    try {
      place.take();
    } catch (error) {
      state.isShed = true;
      await this.#delay();
      throw error;
    }
    state.place = place;
    return place;
  }

  async #delay(): Promise<void> {
    if (this.#delayed >= delayedMax) return;
    this.#delayed += 1;
    await sleep(delayMs);
    this.#delayed -= 1;
  }

  /** Counts the bytes of a problem, even without room, and if its request was not admitted. */
  holdProblem({ body, res, state }: Context): void {
    const { place, caller } = state as RequestState;
    const holder = place ?? new Place(this.#limits, caller?.id ?? strangers, res);
    holder.hold(Buffer.byteLength(String(body)));
    // An admitted request ends its place itself.
    if (place === undefined) holder.end();
  }
}
