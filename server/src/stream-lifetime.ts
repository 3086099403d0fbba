import type { Principal } from './operation.ts';

// Longer than most tokens are valid. It ends streams whose token never expires, or whose key was withdrawn.
const streamMaxMs = 3_600_000;

/** How long a caller's event stream may last. */
export function streamLifetimeMs({ tokenExpiresAtMs = Infinity }: Principal): number {
  // The expiry of a token may have a fraction of a second (RFC 7519, section 2).
  return Math.floor(Math.min(streamMaxMs, Math.max(0, tokenExpiresAtMs - Date.now())));
}
