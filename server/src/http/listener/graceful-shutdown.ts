import type { Server, ServerResponse } from 'node:http';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { ListenerConfig } from '../../config.ts';

/** How a server ends without cutting anybody off who may still hope for an answer. */
export interface GracefulShutdown {
  /** Begins to answer a request, if need be a moment later. */
  readonly track: (response: ServerResponse, begin: () => void) => void;
  /** Takes requests a while longer, stops accepting, and cuts off what is not answered within the drain time. */
  readonly close: (server: Server, times: ShutdownTimes) => Promise<void>;
}

type ShutdownTimes = Pick<ListenerConfig, 'shutdownDelayMs' | 'shutdownTimeoutMs'>;

const quietMaxMs = 500;

export function createGracefulShutdown(): GracefulShutdown {
  // No Set: V8 links each table that one outgrows to the next, and so kept dead requests through collections of young
  // objects, in pauses of three milliseconds instead of half a one.
  const answering: ServerResponse[] = [];
  let isDraining = false;
  let paused: (() => void)[] | undefined;
  return {
    track: (response, begin) => {
      answering.push(response);
      // From the end: streams that last stay at the front.
      response.once('close', () => answering.splice(answering.lastIndexOf(response), 1));
      if (isDraining) askToLeave(response);
      if (paused === undefined) begin();
      else paused.push(begin);
    },
    close: async (server, { shutdownDelayMs: shutdownDelayMs, shutdownTimeoutMs: shutdownTimeoutMs }) => {
      isDraining = true;
      for (const response of answering) askToLeave(response);
      // Idle connections are closed only after this, as one that looks idle may have a request on its way.
      await setTimeout(shutdownDelayMs);
      // Who waits for an answer opens no connection.
      paused = [];
      await waitForAcceptQueue(server, performance.now() + quietMaxMs);
      const closed = closeWithin(server, shutdownTimeoutMs);
      for (const begin of paused) begin();
      paused = undefined;
      await closed;
    },
  };
}

/** A client that keeps its connection would otherwise keep the server from ending. */
function askToLeave(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}

/**
 * Resolves when no connection has come for a moment. Connections that the system has taken for us are reset when
 * listening ends, unless Node has taken them over, which it may do one a turn of its event loop.
 */
async function waitForAcceptQueue(server: Server, untilMs: number): Promise<void> {
  let isQuiet = false;
  const onConnection = (): void => {
    isQuiet = false;
  };
  server.on('connection', onConnection);
  while (!isQuiet && performance.now() < untilMs) {
    isQuiet = true;
    await setTimeout(5);
    // A turn that took long may have left connections waiting.
    const startMs = performance.now();
    await setImmediate();
    isQuiet &&= performance.now() - startMs < 0.5;
  }
  server.off('connection', onConnection);
}

async function closeWithin(server: Server, shutdownTimeoutMs: number): Promise<void> {
  const cutOff = new AbortController();
  void setTimeout(shutdownTimeoutMs, undefined, { signal: cutOff.signal }).then(
    () => {
      server.closeAllConnections();
    },
    () => undefined,
  );
  await promisify(server.close.bind(server))();
  cutOff.abort();
}
