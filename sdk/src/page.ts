/** The browser's globals that the client uses. Workers have some of them, and Node has almost none. */
interface PageGlobals {
  /** The address of the page that runs this code; undefined outside browsers. */
  readonly location?: { readonly origin: string };
  readonly navigator?: { readonly onLine?: boolean; readonly locks?: Locks };
  readonly document?: { readonly visibilityState: 'visible' | 'hidden'; addEventListener: Listen };
  readonly addEventListener?: Listen;
  readonly BroadcastChannel?: new (name: string) => Channel;
}

export interface Locks {
  query(): Promise<unknown>;
  request(name: string, options: { signal: AbortSignal }, callback: () => Promise<void>): Promise<void>;
}

export interface Channel {
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  postMessage(message: unknown): void;
  close(): void;
}

type Listen = (
  name: string,
  listener: (event: { readonly type: string }) => void,
  options: { readonly signal: AbortSignal },
) => void;

// A cast, because the types of Node describe these globals differently.
export const page = globalThis as unknown as PageGlobals;

export const offlineMessage = 'The device is offline.';

export function isOffline(): boolean {
  return page.navigator?.onLine === false;
}

/** Until the signal aborts, calls the listener when the page is hidden, cached or shown, or goes offline or online. */
export function onPageChange(listener: Parameters<Listen>[1], signal: AbortSignal): void {
  page.document?.addEventListener('visibilitychange', listener, { signal });
  for (const name of ['online', 'offline', 'pagehide', 'pageshow'])
    page.addEventListener?.(name, listener, { signal });
}
