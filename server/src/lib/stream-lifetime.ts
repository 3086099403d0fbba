import type { Caller } from '../contract/operation.ts';

// Ends streams whose token never expires, or whose key was withdrawn. Most other tokens expire sooner.
const streamMaxMs = 3_600_000;

/** Returns a signal that ends a caller's stream: with the given signals, with its token, or after an hour. */
export function endOfStream(
  { tokenRefusedAtMs = Infinity }: Caller,
  ...signals: readonly AbortSignal[]
): AbortSignal {
  const lifetimeMs = Math.min(streamMaxMs, Math.max(0, tokenRefusedAtMs - Date.now()));
  return AbortSignal.any([...signals, AbortSignal.timeout(lifetimeMs)]);
}
