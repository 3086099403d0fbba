import type { Server, ServerResponse } from 'node:http';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { ListenerConfig } from '../../config/config.ts';

/** Ends a server without losing a response that a client is waiting for. */
interface GracefulShutdown {
  /** Begins to answer a request. While the port is being closed, this is delayed a little. */
  readonly track: (response: ServerResponse, begin: () => void) => void;
  /**
   * Accepts requests during the shutdown delay, closes the port, and closes all connections at the shutdown timeout.
   */
  readonly close: (server: Server, times: ShutdownTimes) => Promise<void>;
}

type ShutdownTimes = Pick<ListenerConfig, 'shutdownDelayMs' | 'shutdownTimeoutMs'>;

const acceptQueueWaitMs = 500;

export function createGracefulShutdown(): GracefulShutdown {
  // An array instead of a Set: a growing Set links its old tables to the new one, which kept finished requests alive in
  // V8's young generation. Its collections then took 3 ms instead of 0.5.
  const answering: ServerResponse[] = [];
  let isShuttingDown = false;
  let paused: (() => void)[] | undefined;
  return {
    track: (response, begin) => {
      answering.push(response);
      // Search from the end, because long streams stay at the front.
      response.once('close', () => answering.splice(answering.lastIndexOf(response), 1));
      if (isShuttingDown) closeAfterResponse(response);
      if (paused === undefined) begin();
      else paused.push(begin);
    },
    close: async (server, { shutdownDelayMs, shutdownTimeoutMs }) => {
      isShuttingDown = true;
      for (const response of answering) closeAfterResponse(response);
      // Close idle connections only after this delay, because a request may be on its way.
      await setTimeout(shutdownDelayMs);
      // Delayed requests keep their clients from opening further connections, so the accept queue becomes empty.
      paused = [];
      await waitForAcceptQueue(server, performance.now() + acceptQueueWaitMs);
      const closed = closeBefore(server, shutdownTimeoutMs);
      for (const begin of paused) begin();
      paused = undefined;
      await closed;
    },
  };
}

/** Without this, a client that keeps its connection open would prevent the end of the server. */
function closeAfterResponse(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}

/**
 * Resolves when no connection has arrived for a moment. The operating system resets connections in its accept queue
 * when listening ends, and Node may accept only one of them in each turn of its event loop.
 */
async function waitForAcceptQueue(server: Server, untilMs: number): Promise<void> {
  let isEmpty = false;
  const onConnection = (): void => {
    isEmpty = false;
  };
  server.on('connection', onConnection);
  while (!isEmpty && performance.now() < untilMs) {
    isEmpty = true;
    await setTimeout(5);
    // After a long turn of the event loop, connections may still be in the queue.
    const startMs = performance.now();
    await setImmediate();
    isEmpty &&= performance.now() - startMs < 0.5;
  }
  server.off('connection', onConnection);
}

async function closeBefore(server: Server, shutdownTimeoutMs: number): Promise<void> {
  const timeout = new AbortController();
  void setTimeout(shutdownTimeoutMs, undefined, { signal: timeout.signal }).then(
    () => {
      server.closeAllConnections();
    },
    () => undefined,
  );
  await promisify(server.close.bind(server))();
  timeout.abort();
}
