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
  /** Settles as the work does, but rejects with the reason as soon as the signal aborts. */
  race<Value>(work: Promise<Value>): Promise<Value>;
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
    const leftMs = Math.max(0, deadlineAtMs - Date.now());
    const ms = Math.min(timeoutMs, leftMs);
    if (ms > timerMaxMs) return;
    timer = setTimeout(() => {
      controller.abort(new TimeoutError(leftMs <= timeoutMs ? 'deadline' : 'attempt'));
    }, ms);
  }
  function pause(): void {
    clearTimeout(timer);
  }
  function abort(): void {
    controller.abort(new AbortError('The call was aborted.', { cause: signal?.reason }));
  }

  if (signal?.aborted === true) abort();
  signal?.addEventListener('abort', abort, { once: true });
  restart();
  return {
    signal: controller.signal,
    race: (work) => Promise.race([work, rejection(controller.signal)]),
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
    await limit.race(new Promise<void>((resolve) => (timer = setTimeout(resolve, ms))));
  } finally {
    clearTimeout(timer);
    limit.end();
  }
}

function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const fail = (): void => {
      // Only this file aborts the signal, always with an error.
      reject(signal.reason as Error);
    };
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
}
