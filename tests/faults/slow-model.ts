import { createServer } from 'node:http';
import { listen } from '../support/listen.ts';

/** A model server that holds its responses back until `respond` is called. */
interface SlowModel extends Disposable {
  /** The environment that configures it as the runtime `slow`. */
  readonly env: Readonly<Record<string, string>>;
  /** Resolves when it has received that many requests. */
  requested(times: number): Promise<void>;
  /** Sends the pending responses, and responds immediately from now on. */
  respond(): void;
}

export async function startSlowModel(): Promise<SlowModel> {
  let count = 0;
  let onRequest: () => void = () => undefined;
  const released = Promise.withResolvers<undefined>();
  const server = createServer((request, response) => {
    count += 1;
    onRequest();
    request.resume();
    void released.promise.then(() => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.end(
        `${chunk({ delta: { content: 'Done.' } })}${chunk({ delta: {}, finish_reason: 'stop' })}data: [DONE]\n\n`,
      );
    });
  });
  const port = await listen(server);
  return {
    env: {
      AGENT_RUNTIMES: 'builtin,slow',
      AGENT_RUNTIME_SLOW_URL: `http://127.0.0.1:${port}/v1`,
      AGENT_RUNTIME_SLOW_MODEL: 'slow',
    },
    requested: (times) =>
      new Promise((resolve) => {
        onRequest = () => {
          if (count >= times) resolve();
        };
        onRequest();
      }),
    respond: () => {
      released.resolve(undefined);
    },
    [Symbol.dispose]: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function chunk(choice: object): string {
  return `data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, ...choice }] })}\n\n`;
}
