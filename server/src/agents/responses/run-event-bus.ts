import type { RunKey } from '../runs/run-store.ts';

/** What happens to a run in this process: text that its model writes, or news in its log up to a message. */
export type Change =
  { readonly kind: 'text'; readonly text: string } | { readonly kind: 'log'; readonly upToSeq: number };

/** Everything that is in the log. Postgres' largest integer. */
export const endOfLog: Change & { kind: 'log' } = { kind: 'log', upToSeq: 2_147_483_647 };

/** Tells those who wait for a run in this process at once; runs of other processes are looked up now and then. */
export interface RunEventBus {
  publish(runId: string, change: Change): void;
  subscribe(run: RunKey, listener: (change: Change) => void): () => void;
  /** How many listen to runs of a user; without one, to any run. */
  listening(userId?: string): number;
}

export function createRunEventBus(): RunEventBus {
  const listeners = new Map<string, Set<(change: Change) => void>>();
  const listening = new Map<string, number>();
  let total = 0;
  const count = (userId: string, added: 1 | -1): void => {
    total += added;
    const ofUser = (listening.get(userId) ?? 0) + added;
    if (ofUser === 0) listening.delete(userId);
    else listening.set(userId, ofUser);
  };
  return {
    publish: (runId, change) => {
      for (const listener of listeners.get(runId) ?? []) listener(change);
    },
    subscribe: ({ id, userId }, listener) => {
      const ofRun = listeners.get(id) ?? new Set();
      listeners.set(id, ofRun.add(listener));
      count(userId, 1);
      return () => {
        // A second call must not remove listeners that were added after the first.
        if (!ofRun.delete(listener)) return;
        count(userId, -1);
        if (ofRun.size === 0) listeners.delete(id);
      };
    },
    listening: (userId) => (userId === undefined ? total : (listening.get(userId) ?? 0)),
  };
}

export interface Subscription {
  /** Resolves to the changes since the last time: at once, when there are some, after a while or on abort. */
  next(until: AbortSignal): Promise<readonly Change[]>;
  readonly close: () => void;
}

/** Listens to a run. For a reader who is slow, adjacent text becomes one piece. */
export function subscribeToRun(changes: RunEventBus, run: RunKey, quietMs: number): Subscription {
  let unread: Change[] = [];
  let wake: () => void = () => undefined;
  const close = changes.subscribe(run, (change) => {
    unread = joined(unread, change);
    wake();
  });
  return {
    close,
    next: async (until) => {
      if (unread.length === 0) {
        await quiet(quietMs, until, (stop) => {
          wake = stop;
        });
      }
      const read = unread;
      unread = [];
      return read;
    },
  };
}

function joined(changes: readonly Change[], change: Change): Change[] {
  const last = changes.at(-1);
  if (last?.kind !== change.kind) return [...changes, change];
  const one: Change =
    change.kind === 'text' && last.kind === 'text' ? { kind: 'text', text: last.text + change.text } : change;
  return [...changes.slice(0, -1), one];
}

function quiet(forMs: number, until: AbortSignal, onStop: (stop: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      clearTimeout(timer);
      until.removeEventListener('abort', stop);
      resolve();
    };
    const timer = setTimeout(stop, forMs);
    until.addEventListener('abort', stop, { once: true });
    if (until.aborted) stop();
    onStop(stop);
  });
}
