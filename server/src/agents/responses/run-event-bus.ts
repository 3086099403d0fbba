import type { RunKey } from '../runs/run-store.ts';

/** What this process publishes about a run: text that its model writes, or that its log has grown up to a message. */
export type RunUpdate =
  { readonly kind: 'text'; readonly text: string } | { readonly kind: 'log'; readonly upToSeq: number };

/** Covers the whole log of a run: the sequence number is the largest integer of Postgres. */
export const endOfLog: RunUpdate & { kind: 'log' } = { kind: 'log', upToSeq: 2_147_483_647 };

/**
 * Passes updates to the waiters of a run in this process. A waiter is a request that waits for a run or follows it. For
 * runs of other processes, waiters poll the database.
 */
export interface RunEventBus {
  publish(runId: string, update: RunUpdate): void;
  /** Returns the function that unsubscribes. */
  subscribe(run: RunKey, listener: (update: RunUpdate) => void): () => void;
  /** The number of waiters of a user; without a user, of all waiters. */
  waiterCount(userId?: string): number;
}

export function createRunEventBus(): RunEventBus {
  const listeners = new Map<string, Set<(update: RunUpdate) => void>>();
  const waitersByUser = new Map<string, number>();
  let total = 0;
  const count = (userId: string, added: 1 | -1): void => {
    total += added;
    const waiters = (waitersByUser.get(userId) ?? 0) + added;
    if (waiters === 0) waitersByUser.delete(userId);
    else waitersByUser.set(userId, waiters);
  };
  return {
    publish: (runId, update) => {
      for (const listener of listeners.get(runId) ?? []) listener(update);
    },
    subscribe: ({ id, userId }, listener) => {
      const listenersOfRun = listeners.get(id) ?? new Set();
      listeners.set(id, listenersOfRun.add(listener));
      count(userId, 1);
      return () => {
        // A second call must not remove listeners that were added after the first.
        if (!listenersOfRun.delete(listener)) return;
        count(userId, -1);
        if (listenersOfRun.size === 0) listeners.delete(id);
      };
    },
    waiterCount: (userId) => (userId === undefined ? total : (waitersByUser.get(userId) ?? 0)),
  };
}

export interface Subscription {
  /** Resolves to the updates since the previous call. Without any, it waits for one, for the poll interval or for abort. */
  next(signal: AbortSignal): Promise<readonly RunUpdate[]>;
  readonly close: () => void;
}

/** Subscribes to a run. Adjacent pieces of text are joined until they are read, for slow readers. */
export function subscribeToRun(runEvents: RunEventBus, run: RunKey, pollMs: number): Subscription {
  let pending: RunUpdate[] = [];
  let wake: () => void = () => undefined;
  const close = runEvents.subscribe(run, (update) => {
    pending = coalesce(pending, update);
    wake();
  });
  return {
    close,
    next: async (signal) => {
      if (pending.length === 0) {
        await interruptibleSleep(pollMs, signal, (interrupt) => {
          wake = interrupt;
        });
      }
      const updates = pending;
      pending = [];
      return updates;
    },
  };
}

function coalesce(updates: readonly RunUpdate[], update: RunUpdate): RunUpdate[] {
  const last = updates.at(-1);
  if (last?.kind !== update.kind) return [...updates, update];
  const merged: RunUpdate =
    update.kind === 'text' && last.kind === 'text' ? { kind: 'text', text: last.text + update.text } : update;
  return [...updates.slice(0, -1), merged];
}

function interruptibleSleep(
  durationMs: number,
  signal: AbortSignal,
  onStart: (interrupt: () => void) => void,
): Promise<void> {
  return new Promise((resolve) => {
    const interrupt = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', interrupt);
      resolve();
    };
    const timer = setTimeout(interrupt, durationMs);
    signal.addEventListener('abort', interrupt, { once: true });
    if (signal.aborted) interrupt();
    onStart(interrupt);
  });
}
