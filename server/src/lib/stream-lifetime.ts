import type { Principal } from '../contract/operation.ts';

// Ends streams whose token never expires, or whose key was withdrawn. Most other tokens expire sooner.
const streamMaxMs = 3_600_000;

/** Aborts when an event stream of the caller has to end: when a signal does, or when its token is not accepted any more. */
export function endOfStream(
  { tokenRefusedAtMs = Infinity }: Principal,
  ...signals: readonly AbortSignal[]
): AbortSignal {
  const lifetimeMs = Math.min(streamMaxMs, Math.max(0, tokenRefusedAtMs - Date.now()));
  return AbortSignal.any([...signals, AbortSignal.timeout(lifetimeMs)]);
}
