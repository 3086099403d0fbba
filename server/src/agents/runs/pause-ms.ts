const firstPauseMs = 500;
const pauseMsMax = 30_000;
const retryAfterMsMax = 60_000;

interface Failed {
  /** How long the server wants to be left alone, if it says so. */
  readonly retryAfterMs: number | undefined;
  /** How often the server has been asked in vain. */
  readonly failures: number;
  /** From 0 to 1. */
  readonly random: number;
}

/**
 * The pause before a server is asked again. It grows, and half of it is random, so that runs that failed together do not ask
 * together. A server that names a time is asked shortly after it, and not more and more often if that time is zero.
 */
export function pauseMs({ retryAfterMs, failures, random }: Failed): number {
  const growingMs = Math.min(pauseMsMax, firstPauseMs * 2 ** (failures - 1)) * (0.5 + random / 2);
  return retryAfterMs === undefined ? growingMs : Math.min(retryAfterMsMax, retryAfterMs + growingMs / 4);
}
