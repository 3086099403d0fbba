import { onPageChange, page, type Channel, type Locks } from './page.ts';
import { sleep } from './time-limit.ts';
import type { Transport } from './transport.ts';

/** A stream that tabs share: the name of its lock and its channel, and the browser's APIs for both. */
export interface SharedStream {
  readonly name: string;
  readonly locks: Locks;
  readonly Channel: new (name: string) => Channel;
}

/**
 * The stream that tabs with the same server, user and key share. Undefined outside browsers, without https or locks, and
 * if the token names no user. Each tab then has its own stream, which asks the application for the token again.
 */
export async function findSharedStream(
  { options: { baseUrl, tokens } }: Transport,
  key: readonly unknown[],
): Promise<SharedStream | undefined> {
  const { location, navigator: { locks } = {}, BroadcastChannel: Channel } = page;
  if (!location || !locks || !Channel) return undefined;
  try {
    // Rejects in sandboxed frames, and where the user blocks cookies.
    await locks.query();
    const [, payload = ''] = (await tokens.get()).split('.');
    const json = atob(payload.replaceAll('-', '+').replaceAll('_', '/'));
    const { iss, sub } = JSON.parse(json) as { readonly iss?: string; readonly sub?: string };
    const name = JSON.stringify([baseUrl, iss, sub, ...key]);
    return sub === undefined ? undefined : { name, locks, Channel };
  } catch {
    return undefined;
  }
}

/** Calls `lead` while this tab has the lock. A paused tab gives up the lock. Returns a function that ends the hold. */
export function holdStream(
  { name, locks }: SharedStream,
  isPaused: () => boolean,
  lead: (signal: AbortSignal) => Promise<void>,
  onFailure: (error: unknown) => void,
): () => void {
  const left = new AbortController();
  let turn = new AbortController();
  // A page in the back/forward cache is frozen. If it had the lock, the other tabs would receive no events.
  let isCached = false;
  onPageChange(({ type }) => {
    if (type.startsWith('page')) isCached = type === 'pagehide';
    if (isCached || isPaused()) turn.abort();
  }, left.signal);
  const repeat = async (): Promise<void> => {
    while (!left.signal.aborted) {
      while (isCached || isPaused()) await sleep(Infinity, Infinity, left.signal);
      const { signal } = (turn = new AbortController());
      try {
        await locks.request(name, { signal }, () => lead(signal));
        return;
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    }
  };
  repeat().catch((error: unknown) => {
    if (!left.signal.aborted) onFailure(error);
  });
  return () => {
    left.abort();
    turn.abort();
  };
}
