type Fetch = typeof fetch;
type Json = Record<string, unknown>;

/**
 * A fetch that mends what servers are known to get wrong, before the SDK holds it against the protocol: arguments
 * that are an object rather than text, chunks without choices, no reason to finish, one answer where a stream was
 * asked for.
 */
export function compatibleFetch(send: Fetch): Fetch {
  return async (input, init) => {
    const response = await send(input, init);
    const mediaType = response.headers.get('Content-Type') ?? '';
    if (!response.ok || response.body === null) return response;
    if (mediaType.includes('application/json')) return streamed(await response.text());
    const lines = response.body
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(byLine())
      .pipeThrough(mending())
      .pipeThrough(new TextEncoderStream());
    return new Response(lines, { status: response.status, headers: response.headers });
  };
}

/** A whole answer as the stream it should have been. */
function streamed(text: string): Response {
  const answer = objectFrom(text);
  const choices = list(answer?.['choices']).map((choice) => ({ ...choice, delta: choice['message'] }));
  const data = answer === undefined ? text : JSON.stringify(mended({ ...answer, choices }));
  return new Response(`data: ${data}\n\ndata: [DONE]\n\n`, {
    headers: { 'Content-Type': 'text/event-stream' },
  });
}

function byLine(): TransformStream<string, string> {
  // Pieces of a line whose end has not come, so that a long line is searched for it once and not with each piece.
  let pieces: string[] = [];
  return new TransformStream({
    transform: (text, controller) => {
      pieces.push(text);
      if (!text.includes('\n')) return;
      const lines = pieces.join('').split(/\r?\n/);
      pieces = [lines.pop() ?? ''];
      for (const line of lines) controller.enqueue(line);
    },
    flush: (controller) => {
      const rest = pieces.join('');
      if (rest !== '') controller.enqueue(rest);
    },
  });
}

function mending(): TransformStream<string, string> {
  let isFinished = false;
  return new TransformStream({
    transform: (line, controller) => {
      const data = /^data: ?(.*)$/.exec(line)?.[1];
      if (data?.trim() === '[DONE]' && !isFinished) controller.enqueue(`data: ${finish}\n\n`);
      const chunk = data === undefined ? undefined : objectFrom(data);
      if (chunk === undefined) {
        controller.enqueue(`${line}\n`);
        return;
      }
      isFinished ||= list(chunk['choices']).some((choice) => typeof choice['finish_reason'] === 'string');
      controller.enqueue(`data: ${JSON.stringify(mended(chunk))}\n`);
    },
  });
}

const finish = JSON.stringify({ choices: [{ delta: {}, finish_reason: 'stop' }] });

function mended(chunk: Json): Json {
  if (!Array.isArray(chunk['choices'])) return 'usage' in chunk ? { choices: [], ...chunk } : chunk;
  const choices = list(chunk['choices']).map((choice) => {
    const delta = objectOrEmpty(choice['delta']);
    const calls = list(delta['tool_calls']).map(callWithText);
    return { ...choice, delta: { ...delta, ...(calls.length === 0 ? {} : { tool_calls: calls }) } };
  });
  return { ...chunk, choices };
}

function callWithText(call: Json): Json {
  const described = objectOrEmpty(call['function']);
  const values = described['arguments'];
  const isObject = typeof values === 'object' && values !== null;
  return { ...call, function: { ...described, ...(isObject ? { arguments: JSON.stringify(values) } : {}) } };
}

function objectFrom(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
}

function objectOrEmpty(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

function list(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(objectOrEmpty) : [];
}
