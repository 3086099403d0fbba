/** A response whose body fails with an error as soon as it has more than `bytesMax` bytes. */
export function limitBody(response: Response, bytesMax: number, createError: () => Error): Response {
  if (response.body === null) return response;
  let bytes = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      bytes += chunk.byteLength;
      if (bytes > bytesMax) throw createError();
      controller.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(limit), response);
}
