import { RuntimeFailure } from '../runtime.ts';

/** The limit for the text of a step, for a line of a stream, and for a response that is not a stream. */
export const stepBytesMax = 4 * 2 ** 20;

// A stream is many times as large as its text, because each streamed word has some hundred bytes around it.
const streamBytesMax = 64 * 2 ** 20;

export function tooLarge(): RuntimeFailure {
  return new RuntimeFailure('The response of the model server was larger than 4 MiB.');
}

/** A response whose body fails as soon as it exceeds 64 MiB, or 4 MiB if it is not an event stream. */
export function limitResponse(response: Response): Response {
  if (response.body === null) return response;
  const isStream = /text\/event-stream/i.test(response.headers.get('Content-Type') ?? '');
  const bytesMax = isStream ? streamBytesMax : stepBytesMax;
  let bytes = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      bytes += chunk.byteLength;
      if (bytes > bytesMax) throw tooLarge();
      controller.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(limit), response);
}
