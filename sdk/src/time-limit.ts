import { AbortError, TimeoutError } from './errors.ts';
import { onPageChange } from './page.ts';

/**
 * A signal that aborts when the time is over or the caller aborts. Call `end`, or the timer keeps the process alive.
 */
export interface TimeLimit {
  readonly signal: AbortSignal;
  /** Starts the work unless the signal has aborted. Rejects with the signal's reason as soon as the signal aborts. */
  race<Value>(work: () => Promise<Value>): Promise<Value>;
  /** Restarts the timer with the full time of the attempt. */
  restart(): void;
  /** Restarts the timer. From now on, it runs for at most this time. */
  shorten(timeoutMs: number): void;
  /** Stops the timer until the next `restart`. */
  pause(): void;
  end(): void;
}

// The longest delay of setTimeout. A longer limit counts as no limit.
const timerMaxMs = 2 ** 31 - 1;

/** Starts the timer of an attempt, whose call expires at the deadline. */
export function startTimeLimit(
  timeoutMs: number,
  deadlineAtMs: number,
  signal: AbortSignal | undefined,
): TimeLimit {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function restart(): void {
    pause();
    if (controller.signal.aborted) return;
    const leftMs = remainingMs(deadlineAtMs);
    const expire = (): void => {
      controller.abort(new TimeoutError(leftMs <= timeoutMs ? 'deadline' : 'attempt'));
    };
    const ms = Math.min(timeoutMs, leftMs);
    // Expire now: a timer that each chunk restarts might never fire.
    if (leftMs === 0) expire();
    else if (ms <= timerMaxMs) timer = setTimeout(expire, ms);
  }
  function pause(): void {
    clearTimeout(timer);
  }
  function abort(): void {
    controller.abort(abortError(signal));
  }

  if (signal?.aborted === true) abort();
  signal?.addEventListener('abort', abort, { once: true });
  restart();
  return {
    signal: controller.signal,
    race: (work) => raceSignal(controller.signal, work),
    restart,
    shorten(limitMs) {
      timeoutMs = Math.min(timeoutMs, limitMs);
      restart();
    },
    pause,
    end() {
      pause();
      signal?.removeEventListener('abort', abort);
    },
  };
}

/** The time until the deadline; 0 after it. */
export function remainingMs(deadlineAtMs: number): number {
  return Math.max(0, deadlineAtMs - Date.now());
}

/** Resolves after the delay, or sooner when the page changes. Rejects when the signal aborts. */
export async function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  const limit = startTimeLimit(Infinity, Infinity, signal);
  const over = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = (resolve: () => void): void => {
    timer = setTimeout(resolve, ms);
    onPageChange(resolve, over.signal);
  };
  try {
    await limit.race(() => new Promise<void>(wait));
  } finally {
    clearTimeout(timer);
    over.abort();
    limit.end();
  }
}

/** Throws an `AbortError` if the signal has aborted. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw abortError(signal);
}

function abortError(signal: AbortSignal | undefined): AbortError {
  return new AbortError('The call was aborted.', { cause: signal?.reason });
}

/** Removes its listener when the work settles, because a stream calls this for every chunk. */
function raceSignal<Value>(signal: AbortSignal, work: () => Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const fail = (): void => {
      // Only this file aborts the signal, always with an Error.
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', fail);
    work()
      .finally(() => {
        signal.removeEventListener('abort', fail);
      })
      .then(resolve, reject);
  });
}
