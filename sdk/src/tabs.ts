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
 * The stream that tabs with the same server, user and key share. Undefined outside browsers, in pages without https, and
 * if the token does not say whose it is.
 */
export async function findSharedStream(
  { options: { baseUrl, tokens } }: Transport,
  key: readonly unknown[],
): Promise<SharedStream | undefined> {
  const { navigator, BroadcastChannel: Channel } = page;
  const locks = navigator?.locks;
  if (page.location?.origin === undefined || locks === undefined || Channel === undefined) return undefined;
  const user = userOf(await tokens.get());
  return user && { name: JSON.stringify(['worktable', baseUrl, user, ...key]), locks, Channel };
}

/** The issuer and the user of a token; undefined if it is not a JWT or names no user. */
function userOf(token: string): readonly unknown[] | undefined {
  try {
    const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    const { iss, sub } = JSON.parse(atob(payload)) as { readonly iss?: string; readonly sub?: string };
    return sub === undefined ? undefined : [iss, sub];
  } catch {
    return undefined;
  }
}

/** Calls `lead` while this tab has the lock. A paused tab gives up the lock. Returns a function that ends this. */
export function holdStream(
  { name, locks }: SharedStream,
  isPaused: () => boolean,
  lead: (signal: AbortSignal) => Promise<void>,
  onFailure: (error: unknown) => void,
): () => void {
  const left = new AbortController();
  let turn = left;
  let hasEnded = false;
  const hold = async (): Promise<void> => {
    if (isPaused()) return;
    turn = new AbortController();
    const giveUp = (): void => {
      if (isPaused()) turn.abort();
    };
    onPageChange(giveUp, turn.signal);
    try {
      await lead(turn.signal);
      hasEnded = true;
    } catch (error) {
      hasEnded = !turn.signal.aborted;
      if (hasEnded) onFailure(error);
    } finally {
      turn.abort();
    }
  };
  const repeat = async (): Promise<void> => {
    while (!hasEnded) {
      while (isPaused()) await sleep(60_000, left.signal);
      await locks.request(name, { signal: left.signal }, hold);
    }
  };
  repeat().catch(() => undefined);
  return () => {
    left.abort();
    turn.abort();
  };
}
