/** What happens to a run in this process: a piece of text that its model writes, or news in its log. */
export type Change = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'log' };

/** Tells those who wait for a run in this process at once; runs of other processes are looked up now and then. */
export interface RunChanges {
  publish(runId: string, change: Change): void;
  subscribe(runId: string, listener: (change: Change) => void): () => void;
}

export function createRunChanges(): RunChanges {
  const listeners = new Map<string, Set<(change: Change) => void>>();
  return {
    publish: (runId, change) => {
      for (const listener of listeners.get(runId) ?? []) listener(change);
    },
    subscribe: (runId, listener) => {
      const ofRun = listeners.get(runId) ?? new Set();
      listeners.set(runId, ofRun.add(listener));
      return () => {
        ofRun.delete(listener);
        if (ofRun.size === 0) listeners.delete(runId);
      };
    },
  };
}
