import type { Schemas } from '../../server/src/contract/operation.ts';
import { startRun } from './agents.ts';
import { textResponse, type ModelRequest, type ModelResponse, type ModelServer } from './model-server.ts';
import { openRunStream, type RunStream } from './run-stream.ts';
import type { WithModel } from './with-model.ts';

/** A model's response that a test writes piece by piece. */
export interface WrittenResponse {
  readonly response: ModelResponse;
  /** Waits until the model has been asked. Then writes a piece of text and tool calls. */
  write(text: string, calls?: readonly object[]): Promise<void>;
  /** Ends the response, or breaks the connection if `isComplete` is false. */
  end(isComplete?: boolean): Promise<void>;
}

export function writtenResponse(): WrittenResponse {
  const { promise: asked, resolve } = Promise.withResolvers<Parameters<ModelResponse>[0]>();
  const writeChunk = async (choice: object): Promise<void> => {
    const response = await asked;
    await new Promise((written) => {
      response.write(`data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`, written);
    });
  };
  return {
    response: (response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
      resolve(response);
    },
    write: (content, calls) => writeChunk({ delta: { content, tool_calls: calls } }),
    end: async (isComplete = true) => {
      const response = await asked;
      if (!isComplete) {
        response.destroy();
        return;
      }
      await writeChunk({ delta: {}, finish_reason: 'stop' });
      response.end('data: [DONE]\n\n');
    },
  };
}

/** Makes a model answer "Done." at once. Its answer to an input that begins with "Slow" ends only after `release`. */
export function slowModel(model: ModelServer): { asked: () => string[]; release: () => void } {
  const { promise: released, resolve } = Promise.withResolvers<undefined>();
  model.respondWith((response, request) => {
    if (!inputOf(request).startsWith('Slow')) {
      textResponse('Done.')(response, request);
      return;
    }
    const answer = writtenResponse();
    answer.response(response, request);
    void answer.write('Slowly').then(() => released.then(() => answer.end()));
  });
  return {
    asked: () => model.requests.map(inputOf),
    release: () => {
      resolve(undefined);
    },
  };
}

function inputOf({ messages }: ModelRequest): string {
  return messages.at(-1)?.content ?? '';
}

export interface WritingRun {
  readonly run: Schemas['Run'];
  readonly answer: WrittenResponse;
  readonly stream: RunStream;
}

/** Starts a run whose model writes what the test says. Resolves when the stream has the first text. */
export async function writingRun(
  { model, server, alice, agent }: WithModel,
  sessionId: string,
  text: string,
): Promise<WritingRun> {
  const answer = writtenResponse();
  model.respondWith(answer.response);
  const run = await startRun(alice, agent, 'Write', sessionId);
  const stream = await openRunStream(server, run.id);
  await answer.write(text);
  await stream.until(() => stream.preview().text === text);
  return { run, answer, stream };
}
