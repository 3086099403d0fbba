import { onTestFinished } from 'vitest';

/** Keeps a query mounted, like a component. */
export function mount(observer: {
  subscribe: (listener: () => void) => () => void;
  refetch: () => Promise<unknown>;
}): Promise<unknown> {
  onTestFinished(observer.subscribe(() => undefined));
  return observer.refetch();
}
