/** What the client uses of a page. Workers have a part of it, and Node has nearly nothing. */
interface PageGlobals {
  readonly location?: { readonly origin: string };
  readonly navigator?: { readonly onLine?: boolean };
  readonly document?: Events & { readonly visibilityState: 'visible' | 'hidden' };
  readonly addEventListener?: Events['addEventListener'];
  readonly removeEventListener?: Events['removeEventListener'];
}

interface Events {
  addEventListener(name: string, listener: () => void): void;
  removeEventListener(name: string, listener: () => void): void;
}

// These globals have other types in Node.
const page = globalThis as unknown as PageGlobals;

/** The origin of the page that runs this code; undefined outside browsers. */
export function pageOrigin(): string | undefined {
  return page.location?.origin;
}

export function isPageHidden(): boolean {
  return page.document?.visibilityState === 'hidden';
}

export const offlineMessage = 'The device is offline.';

export function isOffline(): boolean {
  return page.navigator?.onLine === false;
}

/**
 * Calls the listener when the page is hidden or shown, and when the device goes offline or online. Returns a function
 * that ends it.
 */
export function onPageChange(listener: () => void): () => void {
  const { document } = page;
  document?.addEventListener('visibilitychange', listener);
  for (const name of ['online', 'offline']) page.addEventListener?.(name, listener);
  return () => {
    document?.removeEventListener('visibilitychange', listener);
    for (const name of ['online', 'offline']) page.removeEventListener?.(name, listener);
  };
}
