import { AbortError, TimeoutError } from './errors.ts';

interface Limits {
  /** For this attempt. */
  readonly timeoutMs: number;
  /** When the whole call must be over. */
  readonly deadlineAtMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Aborts its signal when time is up or the caller aborts. `end` must be called, or the process waits for the timer. */
export interface TimeLimit {
  readonly signal: AbortSignal;
  /** Begins the work unless the signal has aborted, and rejects with the signal's reason as soon as it does. */
  race<Value>(work: () => Promise<Value>): Promise<Value>;
  /** Gives the attempt its full time again. */
  restart(): void;
  /** Stops the clock until the next `restart`. */
  pause(): void;
  end(): void;
  readonly deadlineAtMs: number;
}

// setTimeout takes no more; whoever asks for longer asks for no limit.
const timerMaxMs = 2 ** 31 - 1;

export function startTimeLimit({ timeoutMs, deadlineAtMs, signal }: Limits): TimeLimit {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function restart(): void {
    pause();
    if (controller.signal.aborted) return;
    const leftMs = deadlineAtMs - Date.now();
    const expire = (): void => {
      controller.abort(new TimeoutError(leftMs <= timeoutMs ? 'deadline' : 'attempt'));
    };
    const ms = Math.min(timeoutMs, leftMs);
    // At once, because a timer that is always restarted never fires.
    if (leftMs <= 0) expire();
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
    race: (work) => raced(controller.signal, work),
    restart,
    pause,
    deadlineAtMs,
    end() {
      pause();
      signal?.removeEventListener('abort', abort);
    },
  };
}

/** Waits, unless the caller aborts first. */
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

/** Throws if the caller has aborted. */
export function checkAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw abortError(signal);
}

function abortError(signal: AbortSignal | undefined): AbortError {
  return new AbortError('The call was aborted.', { cause: signal?.reason });
}

/** Listens to the signal only while the work goes on: a stream is raced for each of its pieces. */
function raced<Value>(signal: AbortSignal, work: () => Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const fail = (): void => {
      // Only this file aborts the signal, always with an error.
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
