import { setImmediate } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import type { ModelConfig } from '../../../config/config.ts';
import { asObject, type Json } from '../../../lib/json.ts';
import { bodyLimits, findExcess } from '../../../lib/json-limits.ts';
import { limitBody } from '../../../lib/fetch.ts';
import { unlimitedFetch } from '../../../lib/unlimited-fetch.ts';
import { RuntimeFailure, type Step, type StepRequest } from '../runtime.ts';
import type { Dialect } from './dialect.ts';
import { errorIn, Malformed, ServerError } from './failures.ts';
import { instructionsFor, wireMessages } from './messages.ts';
import { PartialStep, stepBytesMax, tooLarge } from './partial-step.ts';

export interface Attempt {
  readonly config: ModelConfig;
  readonly dialect: Dialect;
  readonly request: StepRequest;
  /** The part of the conversation that is sent. */
  readonly conversation: StepRequest['conversation'];
}

/** Sends one request, and reads its response. */
export async function requestStep(attempt: Attempt): Promise<Step> {
  const step = new PartialStep(attempt.request);
  await readStep(await send(attempt), step);
  return step.complete();
}

function send(attempt: Attempt): Promise<Response> {
  const { baseUrl, apiKey } = attempt.config;
  const { signal } = attempt.request;
  const headers = {
    'Content-Type': 'application/json',
    ...(apiKey !== undefined && { Authorization: `Bearer ${apiKey}` }),
  };
  const init = { method: 'POST', headers, body: JSON.stringify(bodyOf(attempt)), signal };
  return unlimitedFetch(`${baseUrl}/chat/completions`, init);
}

/** The body of the request. JSON leaves out its undefined members. */
function bodyOf({ config, dialect, request, conversation }: Attempt): object {
  const { options } = request;
  const isShortened = conversation.length < request.conversation.length;
  const instructions = instructionsFor(request.instructions, isShortened);
  const tools = request.tools.map((tool) => ({ type: 'function', function: tool }));
  return {
    model: config.model,
    messages: wireMessages(instructions, conversation, request.context, dialect),
    ...(tools.length > 0 && { tools, tool_choice: 'auto' }),
    temperature: options.temperature,
    [dialect.outputLimit]: options.max_output_tokens,
    reasoning_effort: options.reasoning_effort,
    stream: true,
    stream_options: dialect.hasStreamOptions ? { include_usage: true } : undefined,
  };
}

// A stream is many times as large as its text, because each streamed word has some hundred bytes around it.
const streamBytesMax = 64 * 2 ** 20;
const errorBytesMax = 64 * 1024;
const turnMsMax = 10;
const endMark = '[DONE]';

/** Reads the whole response of a model server, an event stream or a single object, and adds it to the step. */
async function readStep(response: Response, step: PartialStep): Promise<void> {
  if (!response.ok) {
    const retryAfter = response.headers.get('Retry-After') ?? undefined;
    // An error with a larger body only quotes the request, so the body is ignored.
    const body = limitBody(response, errorBytesMax, tooLarge).text();
    throw new ServerError(await body.catch(() => ''), response.status, retryAfter);
  }
  let turnStartMs = performance.now();
  let isEnded = false;
  for await (const data of dataOf(limitBody(response, streamBytesMax, tooLarge), step)) {
    isEnded = data === endMark;
    if (isEnded) break;
    if (data.startsWith('{')) step.add(parseChunk(data));
    else step.isDoubtful = true;
    if (performance.now() - turnStartMs < turnMsMax) continue;
    // Let other requests run, because chunks that have already arrived are read without a pause.
    await setImmediate();
    turnStartMs = performance.now();
  }
  if ((step.isDoubtful || !isEnded) && step.ending === undefined) throw new Malformed();
}

/** The data of each event of a stream. A server that does not stream sends one object, which needs no mark of its end. */
async function* dataOf({ body }: Response, step: PartialStep): AsyncGenerator<string, void> {
  const events: string[] = [];
  const parser = createParser({
    maxBufferSize: stepBytesMax,
    onEvent: ({ data }) => events.push(data.trim()),
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') throw tooLarge();
      // A line that is not a part of an event may be an error.
      step.isDoubtful = true;
    },
  });
  let first: string | undefined;
  let object = '';
  for await (const text of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    first ??= /\S/.exec(text)?.[0];
    if (first === '{') object += text;
    else parser.feed(text);
    if (object.length > stepBytesMax) throw tooLarge();
    yield* events.splice(0);
  }
  // The last event may lack the empty line that ends an event.
  parser.feed('\n\n');
  yield* events;
  if (object !== '') yield* [object.trim(), endMark];
}

function parseChunk(text: string): Json {
  if (findExcess(Buffer.from(text), bodyLimits) !== undefined)
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
