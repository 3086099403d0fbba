import { createServer } from 'node:http';
import { listen } from '../support/listen.ts';

/** A model that thinks until it is told to answer. */
export interface SlowModel extends Disposable {
  /** The environment that makes it the runtime `slow`. */
  readonly env: Readonly<Record<string, string>>;
  /** Resolves when it has been asked so many times. */
  asked(times: number): Promise<void>;
  /** From now on it answers at once. */
  wakeUp(): void;
}

export async function startSlowModel(): Promise<SlowModel> {
  let count = 0;
  let onQuestion: () => void = () => undefined;
  const awake = Promise.withResolvers<undefined>();
  const server = createServer((request, response) => {
    count += 1;
    onQuestion();
    request.resume();
    void awake.promise.then(() => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.end(
        `${said({ delta: { content: 'Done.' } })}${said({ delta: {}, finish_reason: 'stop' })}data: [DONE]\n\n`,
      );
    });
  });
  const port = await listen(server);
  return {
    env: {
      AGENT_RUNTIMES: 'slow',
      AGENT_RUNTIME_SLOW_URL: `http://127.0.0.1:${port}/v1`,
      AGENT_RUNTIME_SLOW_MODEL: 'slow',
    },
    asked: (times) =>
      new Promise((resolve) => {
        onQuestion = () => {
          if (count >= times) resolve();
        };
        onQuestion();
      }),
    wakeUp: () => {
      awake.resolve(undefined);
    },
    [Symbol.dispose]: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function said(choice: object): string {
  return `data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, ...choice }] })}\n\n`;
}
