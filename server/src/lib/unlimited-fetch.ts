import { Agent } from 'undici';
import { fetchOrFail } from './fetch.ts';

// Node's own fetch ends after five minutes without a response head, or without a chunk of the body.
const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0 });

// The cast is safe: Node's types describe an older undici, but the methods that fetch calls are the same.
const dispatcher = agent as unknown as NonNullable<RequestInit['dispatcher']>;

/**
 * A `fetch` whose only time limit is the caller's signal. It follows no redirect, so keys and texts of users go only to
 * the configured address.
 */
export const unlimitedFetch: typeof fetch = (input, init) =>
  fetchOrFail(input, { ...init, dispatcher, redirect: 'manual' });
