import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { RunningAgents } from './agents/start.ts';
import type { Config } from './config/config.ts';
import type { Listener } from './http/listener/listener.ts';
import type { ChangeFeed } from './tasks/changes/change-feed.ts';

// How long closing may take after the last request. A database that does not respond would take longer, and the process
// may exit without it, because every acknowledged write is committed. It exits a second later (`exitSoon`).
const closeMs = 8_000;

/** Closes what was opened, in the opposite order, and logs when that is complete or has taken too long. */
export async function closeAndLog(
  opened: AsyncDisposableStack,
  logger: Logger,
  { shutdownDelayMs, shutdownTimeoutMs }: Config['listener'],
): Promise<void> {
  logger.info('shutdown requested');
  const closed = opened.disposeAsync().then(() => true);
  const limitMs = shutdownDelayMs + shutdownTimeoutMs + closeMs;
  if (await Promise.race([closed, pause(limitMs, false, { ref: false })])) logger.info('shutdown complete');
  else logger.warn('shutdown cut off: it took too long');
}

/**
 * Answers the requests in flight. Streams of changes end as soon as clients can no longer reach this server. Requests that
 * wait for a run are answered 202 after half of the timeout, and the run continues in another process.
 */
export async function closeListener(
  listener: Listener,
  { agents, changeFeed }: { readonly agents: RunningAgents; readonly changeFeed: ChangeFeed },
  { shutdownDelayMs, shutdownTimeoutMs }: Config['listener'],
): Promise<void> {
  const timers = [
    setTimeout(changeFeed.close, shutdownDelayMs),
    setTimeout(agents.drain, shutdownDelayMs + shutdownTimeoutMs / 2),
  ];
  await listener.close();
  timers.forEach(clearTimeout);
}
