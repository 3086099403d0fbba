import { RuntimeFailure } from '../runtime.ts';

const bytesMax = 4 * 2 ** 20;

/** A response whose body fails as soon as it is larger than 4 MiB, because a step is kept in memory as a whole. */
export function limitResponse(response: Response): Response {
  if (response.body === null) return response;
  let bytes = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      bytes += chunk.byteLength;
      if (bytes > bytesMax)
        throw new RuntimeFailure('The response of the model server was larger than 4 MiB.');
      controller.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(limit), response);
}
