import { onTestFinished } from 'vitest';

/** Keeps a query mounted until the test ends, as a component would, and reads it. */
export function mount(observer: {
  subscribe: (listener: () => void) => () => void;
  refetch: () => Promise<unknown>;
}): Promise<unknown> {
  onTestFinished(observer.subscribe(() => undefined));
  return observer.refetch();
}
