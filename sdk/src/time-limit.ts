import { AbortError, TimeoutError } from './errors.ts';
import { onPageChange } from './page.ts';

/**
 * A signal that aborts when the time is over, the caller aborts or the work has ended. Call `end`, or the timer keeps
 * the process alive.
 */
export interface TimeLimit {
  readonly signal: AbortSignal;
  /**
   * Starts the work unless the signal has aborted. The timer runs until the work settles. Rejects with the signal's
   * reason as soon as the signal aborts.
   */
  race<Value>(work: () => Promise<Value>): Promise<Value>;
  /** Restarts the timer. From now on, it runs for this time. */
  restart(timeoutMs: number): void;
  end(): void;
}

// The longest delay of setTimeout. A longer limit counts as no limit.
const timerMaxMs = 2 ** 31 - 1;

/** The time limit of an attempt, whose call expires at the deadline. */
export function startTimeLimit(
  timeoutMs: number,
  deadlineAtMs: number,
  caller: AbortSignal | undefined,
): TimeLimit {
  const controller = new AbortController();
  const { signal } = controller;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function start(): void {
    clearTimeout(timer);
    if (signal.aborted) return;
    const leftMs = remainingMs(deadlineAtMs);
    const expire = (): void => {
      controller.abort(new TimeoutError(leftMs <= timeoutMs ? 'deadline' : 'attempt'));
    };
    const ms = Math.min(timeoutMs, leftMs);
    // Expire now: a timer that each chunk restarts might never fire.
    if (leftMs === 0) expire();
    else if (ms <= timerMaxMs) timer = setTimeout(expire, ms);
  }
  function abort(): void {
    controller.abort(new AbortError('The call was aborted.', { cause: caller?.reason }));
  }

  if (caller?.aborted === true) abort();
  caller?.addEventListener('abort', abort, { signal });
  return {
    signal,
    race: (work) =>
      new Promise((resolve, reject) => {
        start();
        signal.throwIfAborted();
        const fail = (): void => {
          // Only this file aborts the signal, always with an Error.
          reject(signal.reason as Error);
        };
        signal.addEventListener('abort', fail);
        work()
          .finally(() => {
            clearTimeout(timer);
            // Removed after each work, because a stream has one for every chunk.
            signal.removeEventListener('abort', fail);
          })
          .then(resolve, reject);
      }),
    restart(limitMs) {
      timeoutMs = limitMs;
      start();
    },
    end() {
      clearTimeout(timer);
      controller.abort();
    },
  };
}

/** The time until the deadline; 0 after it. */
export function remainingMs(deadlineAtMs: number): number {
  return Math.max(0, deadlineAtMs - Date.now());
}

/** Resolves after the delay or, with `endsEarly`, when the page changes. Rejects when the signal aborts. */
export async function sleep(ms: number, signal: AbortSignal | undefined, endsEarly = true): Promise<void> {
  const limit = startTimeLimit(Infinity, Infinity, signal);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = (resolve: () => void): void => {
    timer = setTimeout(resolve, Math.min(ms, timerMaxMs));
    if (endsEarly) onPageChange(resolve, limit.signal);
  };
  try {
    await limit.race(() => new Promise<void>(wait));
  } finally {
    clearTimeout(timer);
    limit.end();
  }
}
