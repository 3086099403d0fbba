import { createServer, type RequestListener } from 'node:http';
import { cleanUpAfter } from './cleanup.ts';
import { listen } from './listen.ts';

/** Starts an HTTP server on a free port of 127.0.0.1. It stops after the test or file, or when `stop` is called. */
export async function startHttpServer(answer: RequestListener): Promise<{ url: string; stop: () => void }> {
  const server = createServer(answer);
  const url = `http://127.0.0.1:${await listen(server)}`;
  const stop = (): void => {
    server.closeAllConnections();
    server.close();
  };
  cleanUpAfter(stop);
  return { url, stop };
}
