import { AbortError, TimeoutError } from './errors.ts';

interface TimeLimitOptions {
  /** Time limit of this attempt. */
  readonly timeoutMs: number;
  /** Time at which the whole call expires. */
  readonly deadlineAtMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Aborts its signal on expiry or when the caller aborts. Call `end`, or the timer keeps the process alive. */
export interface TimeLimit {
  readonly signal: AbortSignal;
  /** Starts the work unless the signal is aborted. Rejects with the signal's reason as soon as it is aborted. */
  race<Value>(work: () => Promise<Value>): Promise<Value>;
  /** Restarts the timer with the full time of the attempt. */
  restart(): void;
  /** Restarts the timer, which from now on has at most this time. */
  shorten(timeoutMs: number): void;
  /** Stops the timer until the next `restart`. */
  pause(): void;
  end(): void;
  readonly deadlineAtMs: number;
}

// The longest delay that setTimeout supports. A longer limit counts as no limit.
const timerMaxMs = 2 ** 31 - 1;

export function startTimeLimit({ deadlineAtMs, signal, ...options }: TimeLimitOptions): TimeLimit {
  const controller = new AbortController();
  let { timeoutMs } = options;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function restart(): void {
    pause();
    if (controller.signal.aborted) return;
    const leftMs = remainingMs(deadlineAtMs);
    const expire = (): void => {
      controller.abort(new TimeoutError(leftMs <= timeoutMs ? 'deadline' : 'attempt'));
    };
    const ms = Math.min(timeoutMs, leftMs);
    // Expire synchronously: a timer that is restarted for each chunk might never fire.
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
    deadlineAtMs,
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

/** Resolves after the delay, or rejects when the signal is aborted. */
export async function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  const limit = startTimeLimit({ timeoutMs: Infinity, deadlineAtMs: Infinity, signal });
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await limit.race(() => new Promise<void>((resolve) => (timer = setTimeout(resolve, ms))));
  } finally {
    clearTimeout(timer);
    limit.end();
  }
}

/** Throws an `AbortError` if the signal is aborted. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw abortError(signal);
}

function abortError(signal: AbortSignal | undefined): AbortError {
  return new AbortError('The call was aborted.', { cause: signal?.reason });
}

/** Removes its listener when the work settles, because a stream calls this for each of its chunks. */
function raceSignal<Value>(signal: AbortSignal, work: () => Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const fail = (): void => {
      // Only this file aborts the signal, and always with an Error.
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
