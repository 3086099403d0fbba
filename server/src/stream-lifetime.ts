import type { Principal } from './operation.ts';

// Longer than most tokens are valid; a token without an end, or whose key was withdrawn, must not keep a stream forever.
const streamMaxMs = 3_600_000;

/** How long an event stream of a caller may last. */
export function streamLifetimeMs({ tokenExpiresAtMs = Infinity }: Principal): number {
  // An expiry may have a fraction of a second (RFC 7519, section 2).
  return Math.floor(Math.min(streamMaxMs, Math.max(0, tokenExpiresAtMs - Date.now())));
}
