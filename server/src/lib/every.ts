import { setTimeout as pause } from 'node:timers/promises';

/**
 * Does work again and again until the signal aborts, with a pause before it. A failure is reported and does not end this.
 * Resolves after the last work.
 */
export async function every(
  ms: number,
  signal: AbortSignal,
  work: () => unknown,
  onFailure: (error: unknown) => void,
): Promise<void> {
  for (;;) {
    await pause(ms, undefined, { ref: false, signal }).catch(() => undefined);
    if (signal.aborted) return;
    try {
      await work();
    } catch (error) {
      onFailure(error);
    }
  }
}
