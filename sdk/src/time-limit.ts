import { AbortError, TimeoutError } from './errors.ts';
import { onPageChange } from './page.ts';

/**
 * A signal that aborts when the time is over, the caller aborts or `end` is called. Always call `end`, or a timer may
 * keep the process alive.
 */
export interface TimeLimit {
  readonly signal: AbortSignal;
  /** The time limit of each call of `race`. */
  timeoutMs: number;
  /**
   * Starts the work unless the signal has aborted. The timer runs until the work settles. Rejects with the signal's
   * reason as soon as the signal aborts.
   */
  race<Value>(work: () => Promise<Value>): Promise<Value>;
  end(reason?: Error): void;
}

// The longest delay of setTimeout. A longer limit counts as no limit.
const timerMaxMs = 2 ** 31 - 1;

/** Starts the time limit of an attempt, which expires no later than the deadline of the whole call. */
export function startTimeLimit(
  timeoutMs: number,
  deadlineAtMs: number,
  caller: AbortSignal | undefined,
): TimeLimit {
  const controller = new AbortController();
  const { signal } = controller;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const abort = (): void => {
    controller.abort(new AbortError('The call was aborted.', { cause: caller?.reason }));
  };
  if (caller?.aborted) abort();
  caller?.addEventListener('abort', abort, { signal });
  const limit: TimeLimit = {
    signal,
    timeoutMs,
    race: (work) =>
      new Promise((resolve, reject) => {
        const leftMs = Math.max(0, deadlineAtMs - Date.now());
        const ms = Math.min(limit.timeoutMs, leftMs);
        const expire = (): void => {
          controller.abort(new TimeoutError(ms === leftMs ? 'deadline' : 'attempt'));
        };
        // Expire now: a timer that each chunk restarts might never fire.
        if (leftMs === 0) expire();
        signal.throwIfAborted();
        if (ms <= timerMaxMs) timer = setTimeout(expire, ms);
        const fail = (): void => {
          // Only this file aborts the signal, always with an Error.
          reject(signal.reason as Error);
        };
        signal.addEventListener('abort', fail);
        work()
          .finally(() => {
            clearTimeout(timer);
            // Each chunk of a stream adds a listener, so remove it.
            signal.removeEventListener('abort', fail);
          })
          .then(resolve, reject);
      }),
    end(reason) {
      clearTimeout(timer);
      controller.abort(reason);
    },
  };
  return limit;
}

/** Resolves after the delay or, with `endsEarly`, when the page changes. Rejects at the deadline or an abort. */
export async function sleep(
  ms: number,
  deadlineAtMs: number,
  signal: AbortSignal | undefined,
  endsEarly = true,
): Promise<void> {
  const limit = startTimeLimit(ms, deadlineAtMs, signal);
  const wait = (resolve: () => void): void => {
    if (endsEarly) onPageChange(resolve, limit.signal);
  };
  try {
    await limit.race(() => new Promise<void>(wait));
  } catch (error) {
    if (!(error instanceof TimeoutError && error.limit === 'attempt')) throw error;
  } finally {
    limit.end();
  }
}
