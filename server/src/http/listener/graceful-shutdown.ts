import type { Server, ServerResponse } from 'node:http';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { ListenerConfig } from '../../config/config.ts';

/** Ends a server without losing a response that a client still waits for. */
interface GracefulShutdown {
  /** Begins to answer a request, with a short delay while the port is being closed. */
  readonly track: (response: ServerResponse, begin: () => void) => void;
  /** Accepts requests for the shutdown delay, then closes the port, and closes connections at the shutdown timeout. */
  readonly close: (server: Server, times: ShutdownTimes) => Promise<void>;
}

type ShutdownTimes = Pick<ListenerConfig, 'shutdownDelayMs' | 'shutdownTimeoutMs'>;

const acceptQueueWaitMs = 500;

export function createGracefulShutdown(): GracefulShutdown {
  // An array, because a growing Set links its old tables to the new one. These links kept finished requests alive
  // through V8's young generation, whose collections then paused the process for 3 ms instead of 0.5.
  const answering: ServerResponse[] = [];
  let isShuttingDown = false;
  let paused: (() => void)[] | undefined;
  return {
    track: (response, begin) => {
      answering.push(response);
      // Searched from the end: long streams stay at the front.
      response.once('close', () => answering.splice(answering.lastIndexOf(response), 1));
      if (isShuttingDown) closeAfterResponse(response);
      if (paused === undefined) begin();
      else paused.push(begin);
    },
    close: async (server, { shutdownDelayMs, shutdownTimeoutMs }) => {
      isShuttingDown = true;
      for (const response of answering) closeAfterResponse(response);
      // Idle connections are closed only after this delay, because a request may be on its way.
      await setTimeout(shutdownDelayMs);
      // A client that waits for a response opens no further connection, so the accept queue runs empty.
      paused = [];
      await waitForAcceptQueue(server, performance.now() + acceptQueueWaitMs);
      const closed = closeBefore(server, shutdownTimeoutMs);
      for (const begin of paused) begin();
      paused = undefined;
      await closed;
    },
  };
}

/** A client that keeps its connection open would keep the server from closing. */
function closeAfterResponse(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}

/**
 * Resolves when no connection has arrived for a moment. Connections in the accept queue of the operating system are reset
 * when listening ends, and Node may accept only one of them for each turn of its event loop.
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
    // A long turn may have left connections in the queue.
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
