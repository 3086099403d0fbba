const firstPauseMs = 500;
const pauseMsMax = 30_000;
const retryAfterMsMax = 60_000;

interface Failed {
  /** The time that the server asks to wait, if it names one. */
  readonly retryAfterMs: number | undefined;
  /** The number of failed requests in a row. */
  readonly failures: number;
  /** A random number from 0 to 1. */
  readonly random: number;
}

/**
 * The pause before the next request to a server. It grows, and half of it is random, so that runs that failed together
 * do not retry together. If the server names a time, the next request follows shortly after it; the growing part
 * prevents a burst of requests if that time is zero.
 */
export function pauseMs({ retryAfterMs, failures, random }: Failed): number {
  const growingMs = Math.min(pauseMsMax, firstPauseMs * 2 ** (failures - 1)) * (0.5 + random / 2);
  return retryAfterMs === undefined ? growingMs : Math.min(retryAfterMsMax, retryAfterMs + growingMs / 4);
}
