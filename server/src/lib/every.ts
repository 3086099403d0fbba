import { setTimeout as pause } from 'node:timers/promises';

/**
 * Pauses, then calls `work`, again and again until the signal aborts. A failure is reported and does not end the loop.
 * Resolves after the last call.
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
