import type { Principal } from './operation.ts';

// Longer than most tokens are valid. It ends streams whose token never expires, or whose key was withdrawn.
const streamMaxMs = 3_600_000;

/** How long a caller's event stream may last: not longer than requests with its token are accepted. */
export function streamLifetimeMs({ tokenRefusedAtMs = Infinity }: Principal): number {
  return Math.min(streamMaxMs, Math.max(0, tokenRefusedAtMs - Date.now()));
}
