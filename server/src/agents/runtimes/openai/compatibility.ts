import { integerMax } from '../../../db/integer.ts';
import { separateThoughts } from './think-tags.ts';
import { asObject, type Json } from './json.ts';
import { limitResponse, stepBytesMax, tooLarge } from './limit-response.ts';

type Fetch = typeof fetch;

/**
 * A fetch that limits the size of a response and corrects known deviations from OpenAI's protocol before the SDK parses
 * the response:
 * - arguments that are an object instead of a string;
 * - chunks without choices, pings and empty lines;
 * - numbers as ids, and counts as text;
 * - thoughts in the text;
 * - a finish reason that is missing or belongs to another protocol;
 * - a single response instead of a stream.
 */
export function compatibleFetch(send: Fetch): Fetch {
  return async (input, init) => {
    const response = limitResponse(await send(input, init));
    const mediaType = response.headers.get('Content-Type')?.toLowerCase() ?? '';
    if (!response.ok || response.body === null) return response;
    if (mediaType.includes('application/json')) return asEventStream(await response.text());
    const lines = response.body
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(splitLines())
      .pipeThrough(normalizeLines())
      .pipeThrough(new TextEncoderStream());
    return new Response(lines, { status: response.status, headers: response.headers });
  };
}

/** Converts a single response to the stream that it should have been. */
function asEventStream(text: string): Response {
  const response = objectFrom(text);
  const choices = list(response?.['choices'], choicesMax).map((choice) => ({
    ...choice,
    delta: separateThoughts()(asObject(choice['message']) ?? {}, true),
  }));
  const data = response === undefined ? text : JSON.stringify(normalizeChunk({ ...response, choices }));
  return new Response(`data: ${data}\n\ndata: [DONE]\n\n`, {
    headers: { 'Content-Type': 'text/event-stream' },
  });
}

function splitLines(): TransformStream<string, string> {
  // The pieces of an incomplete line. They are joined once, because joining them one by one would take quadratic time.
  let pieces: string[] = [];
  let length = 0;
  return new TransformStream({
    transform: (text, controller) => {
      pieces.push(text);
      length += text.length;
      if (length > stepBytesMax) throw tooLarge();
      if (!text.includes('\n')) return;
      const lines = pieces.join('').split(/\r?\n/);
      const rest = lines.pop() ?? '';
      pieces = [rest];
      length = rest.length;
      for (const line of lines) controller.enqueue(line);
    },
    flush: (controller) => {
      const rest = pieces.join('');
      if (rest !== '') controller.enqueue(rest);
    },
  });
}

function normalizeLines(): TransformStream<string, string> {
  const separate = separateThoughts();
  let isFinished = false;
  let written = 0;
  return new TransformStream({
    transform: (line, controller) => {
      const data = /^data: ?(.*)$/.exec(line)?.[1];
      if (data?.trim() === '') return;
      if (data?.trim() === '[DONE]' && !isFinished) {
        const choice = { delta: separate({}, true), finish_reason: 'stop' };
        controller.enqueue(`data: ${JSON.stringify({ choices: [choice] })}\n\n`);
      }
      const chunk = data === undefined ? undefined : objectFrom(data);
      if (chunk === undefined) {
        controller.enqueue(`${line}\n`);
        return;
      }
      const { choices, ...normalized } = normalizeChunk(chunk);
      const [choice] = list(choices, choicesMax);
      written += JSON.stringify(choice?.['delta'] ?? '').length;
      if (written > stepBytesMax) throw tooLarge();
      const isLast = typeof choice?.['finish_reason'] === 'string';
      isFinished ||= isLast;
      const separated =
        choice === undefined
          ? choices
          : [{ ...choice, delta: separate(asObject(choice['delta']) ?? {}, isLast) }];
      controller.enqueue(`data: ${JSON.stringify({ ...normalized, choices: separated })}\n`);
    },
  });
}

// The request asks for one choice.
const choicesMax = 1;

// The SDK validates every call of a chunk, which takes seconds for a million. A step may make fewer calls than this.
const callsOfChunkMax = 100;

/** Turns pings, events that are not part of an answer, and chunks about usage into chunks without choices. */
function normalizeChunk({ id, usage, ...rest }: Json): Json {
  if ('error' in rest) return rest;
  const chunk = {
    ...rest,
    ...(id == null ? {} : { id: typeof id === 'number' ? String(id) : id }),
    usage: usageOf(usage),
  };
  const { choices: all } = rest;
  if (all === undefined || all === null) return { ...chunk, choices: [] };
  if (!Array.isArray(all)) return { ...chunk, choices: all };
  const choices = list(all, choicesMax).map((choice) => {
    const delta = asObject(choice['delta']) ?? {};
    const calls = list(delta['tool_calls'], callsOfChunkMax).map(normalizeCall);
    const finish_reason = normalizeReason(choice['finish_reason']);
    return {
      ...choice,
      finish_reason,
      delta: { ...delta, ...(calls.length === 0 ? {} : { tool_calls: calls }) },
    };
  });
  return { ...chunk, choices };
}

/** Maps other protocols' reasons for an answer that was cut off (Anthropic, Gemini, Mistral, Zhipu) to OpenAI's. */
function normalizeReason(reason: unknown): unknown {
  if (typeof reason !== 'string') return reason;
  if (/^(?:max_tokens|model_length)$/i.test(reason)) return 'length';
  return /^(?:content_filter|safety|sensitive|refusal)\b/i.test(reason) ? 'content_filter' : reason;
}

/** The token counts, if the server sends any. */
function usageOf(usage: unknown): Json | undefined {
  const { prompt_tokens: input, completion_tokens: output } = asObject(usage) ?? {};
  const counts = { prompt_tokens: countOf(input), completion_tokens: countOf(output) };
  return Object.values(counts).every((count) => count === undefined) ? undefined : counts;
}

/** A count that fits into an integer column. Servers also send decimals, text and other values. */
function countOf(value: unknown): number | undefined {
  const count = Math.ceil(Number.parseFloat(String(value)));
  return Number.isNaN(count) ? undefined : Math.min(Math.max(0, count), integerMax);
}

function normalizeCall({ id, ...call }: Json): Json {
  const calledFunction = asObject(call['function']) ?? {};
  const values = calledFunction['arguments'];
  const isObject = typeof values === 'object' && values !== null;
  const changed = isObject ? { arguments: JSON.stringify(values) } : {};
  const ownId = typeof id === 'number' ? { id: String(id) } : { id };
  return { ...call, ...ownId, function: { ...calledFunction, ...changed } };
}

function objectFrom(text: string): Json | undefined {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** The first objects of a list. */
function list(value: unknown, lengthMax: number): Json[] {
  return Array.isArray(value) ? value.slice(0, lengthMax).map((each) => asObject(each) ?? {}) : [];
}
