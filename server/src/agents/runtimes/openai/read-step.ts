import { setImmediate } from 'node:timers/promises';
import { findExcess } from '../../../json-limits.ts';
import { limitBody } from '../../../limit-body.ts';
import { RuntimeFailure } from '../runtime.ts';
import { errorIn, Malformed, ServerError } from './failures.ts';
import { asObject, type Json } from '../../../json.ts';
import { stepBytesMax, tooLarge, type PartialStep } from './partial-step.ts';

// A stream is many times as large as its text, because each streamed word has some hundred bytes around it.
const streamBytesMax = 64 * 2 ** 20;
const turnMsMax = 10;

/** Reads the response of a model server to the end, an event stream or a single object, and adds it to the step. */
export async function readStep(response: Response, step: PartialStep): Promise<void> {
  const isStream = /text\/event-stream/i.test(response.headers.get('Content-Type') ?? '');
  const limited = limitBody(response, isStream ? streamBytesMax : stepBytesMax, tooLarge);
  if (!response.ok) {
    const retryAfter = response.headers.get('Retry-After') ?? undefined;
    throw new ServerError(await limited.text(), response.status, retryAfter);
  }
  if (/application\/json/i.test(response.headers.get('Content-Type') ?? '')) {
    step.add(parseChunk(await limited.text()));
    return;
  }
  let turnStartMs = performance.now();
  for await (const line of linesOf(limited)) {
    const data = line.startsWith('data:') ? line.slice('data:'.length).trim() : '';
    if (data === '[DONE]') return;
    if (data !== '') step.add(parseChunk(data));
    if (performance.now() - turnStartMs < turnMsMax) continue;
    // Chunks that have already arrived follow each other without a pause for other requests.
    await setImmediate();
    turnStartMs = performance.now();
  }
  if (step.ending === undefined) throw new Malformed();
}

async function* linesOf({ body }: Response): AsyncGenerator<string, void> {
  if (body === null) return;
  let rest = '';
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    rest += text;
    if (rest.length > stepBytesMax) throw tooLarge();
    // Splitting a line that is not complete after each of its pieces would take quadratic time.
    if (!text.includes('\n')) continue;
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  yield rest;
}

// A shorter text cannot exceed the limits by much.
const smallLength = 1000;

// Arguments that are not text have the limits of a body inside a few levels and values of the protocol.
const chunkLimits = { depthMax: 80, valuesMax: 60_000 };

function parseChunk(text: string): Json {
  if (text.length > smallLength && findExcess(Buffer.from(text), chunkLimits) !== undefined)
    throw new RuntimeFailure('The model server has sent JSON with too many levels or values.');
  let chunk: Json | undefined;
  try {
    chunk = asObject(JSON.parse(text));
  } catch (cause) {
    throw new Malformed('', { cause });
  }
  if (chunk === undefined) throw new Malformed();
  const error = errorIn(chunk);
  if (error !== undefined) throw error;
  return chunk;
}
