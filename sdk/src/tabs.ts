import { onPageChange, pageOrigin } from './page.ts';
import { sleep } from './time-limit.ts';
import type { Transport } from './transport.ts';

/** The browser APIs with which tabs share a stream. */
interface Tabs {
  readonly locks: {
    request(name: string, options: { signal: AbortSignal }, lead: () => Promise<void>): Promise<void>;
  };
  readonly Channel: new (name: string) => {
    onmessage: ((event: { readonly data: unknown }) => void) | null;
    postMessage(message: unknown): void;
    close(): void;
  };
}

/** A stream that tabs share. */
export interface SharedStream extends Tabs {
  /** The name of its lock and its channel. */
  readonly name: string;
}

/**
 * The stream that tabs with the same server, user and key share. Undefined outside browsers, in pages without https, and
 * if the token does not say whose it is.
 */
export async function findSharedStream(
  { options: { baseUrl, tokens } }: Transport,
  key: readonly unknown[],
): Promise<SharedStream | undefined> {
  // A cast, because Node's types of both APIs differ. Node itself has no page, so it has no shared streams.
  const { navigator, BroadcastChannel: Channel } = globalThis as unknown as {
    readonly navigator?: { readonly locks?: Tabs['locks'] };
    readonly BroadcastChannel?: Tabs['Channel'];
  };
  const locks = navigator?.locks;
  if (pageOrigin() === undefined || locks === undefined || Channel === undefined) return undefined;
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
