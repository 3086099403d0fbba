import { Agent } from 'undici';

// Node's own fetch gives up after five minutes without a head, or without a piece of the body.
const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0 });

// The types of Node describe an older undici than its fetch has; the methods that fetch calls are the same.
const dispatcher = agent as unknown as NonNullable<RequestInit['dispatcher']>;

/**
 * `fetch` without time limits of its own: the caller's signal is the only one. Keys and texts of users are sent to the
 * configured address only, so no redirect is followed.
 */
export const unlimitedFetch: typeof fetch = (input, init) =>
  fetch(input, { ...init, dispatcher, redirect: 'manual' });
