import { setImmediate } from 'node:timers/promises';
import type { ModelConfig } from '../../../config/config.ts';
import { asObject, type Json } from '../../../lib/json.ts';
import { bodyLimits, findExcess } from '../../../lib/json-limits.ts';
import { limitBody } from '../../../lib/fetch.ts';
import { unlimitedFetch } from '../../../lib/unlimited-fetch.ts';
import { RuntimeFailure, type Step, type StepRequest } from '../runtime.ts';
import type { Dialect } from './dialect.ts';
import { errorIn, Malformed, ServerError } from './failures.ts';
import { tokensOfBytes, tokensOfRequest } from './fit-context.ts';
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
  const { request, conversation } = attempt;
  const step = new PartialStep(request);
  try {
    await readStep(await send(attempt), step);
  } catch (error) {
    // Nothing is counted if the server refused the request or was unavailable, because it has used no tokens.
    if (request.signal.aborted || step.receivedBytes > 0) countTokens();
    throw error;
  }
  countTokens();
  return step.complete();

  /** Counts the tokens that the server has reported, or an estimate from what was sent and received. */
  function countTokens(): void {
    const { usage, receivedBytes } = step;
    const estimate = tokensOfRequest(request, conversation) + tokensOfBytes(receivedBytes);
    request.onTokens(usage === null ? estimate : usage.input_tokens + usage.output_tokens);
  }
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
  const isWithout = request.isLast && !dialect.requiresTools;
  const tools = (isWithout ? [] : request.tools).map((tool) => ({ type: 'function', function: tool }));
  return {
    model: config.model,
    messages: wireMessages(instructions, conversation, request.context, dialect),
    ...(tools.length > 0 && { tools, tool_choice: request.isLast ? 'none' : 'auto' }),
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

/** Reads the whole response of a model server, an event stream or a single object, and adds it to the step. */
async function readStep(response: Response, step: PartialStep): Promise<void> {
  if (!response.ok) {
    const retryAfter = response.headers.get('Retry-After') ?? undefined;
    // A larger error only quotes the request.
    const body = limitBody(response, errorBytesMax, tooLarge).text();
    throw new ServerError(await body.catch(() => ''), response.status, retryAfter);
  }
  const isSingle = /application\/json/i.test(response.headers.get('Content-Type') ?? '');
  const isEnded =
    (await readLines(limitBody(response, streamBytesMax, tooLarge), step, isSingle)) || isSingle;
  if ((step.isDoubtful || !isEnded) && step.ending === undefined) throw new Malformed();
}

/** Adds the chunks of a stream. Resolves to false if the stream ends without its mark. */
async function readLines(stream: Response, step: PartialStep, isJson: boolean): Promise<boolean> {
  let turnStartMs = performance.now();
  let [part, isObject] = ['', false];
  for await (const line of linesOf(stream)) {
    // Some servers send lines of JSON instead of events, or JSON that continues until an empty line.
    const data = line.replace(/^data:/, '').trim();
    if (data === '[DONE]') return true;
    // An object that is not an event may have empty lines.
    isObject ||= isJson && line.trimStart().startsWith('{');
    if (part === '' && !data.startsWith('{')) step.isDoubtful ||= !ignoredLine.test(data);
    else if ((data === '' && !isObject) || (part === '' && data.endsWith('}'))) {
      step.add(parseChunk(part + data));
      part = '';
    } else if ((part += data).length > stepBytesMax) throw tooLarge();
    if (performance.now() - turnStartMs < turnMsMax) continue;
    // Let other requests run, because chunks that have already arrived are read without a pause.
    await setImmediate();
    turnStartMs = performance.now();
  }
  if (part !== '') step.add(parseChunk(part));
  return false;
}

// Lines without data: empty lines, comments, and the fields `id`, `retry` and `event`, unless the event is an error.
const ignoredLine = /^(?:$|:|(?:id|retry|event):(?! *error))/;

async function* linesOf({ body }: Response): AsyncGenerator<string, void> {
  let rest = '';
  for await (const text of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    rest += text;
    if (rest.length > stepBytesMax) throw tooLarge();
    // Splitting an incomplete line again after each piece would take quadratic time.
    if (!text.includes('\n')) continue;
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  yield rest;
}

// A shorter text is not checked, because it cannot exceed the limits by much.
const smallLength = 1000;

function parseChunk(text: string): Json {
  if (text.length > smallLength && findExcess(Buffer.from(text), bodyLimits) !== undefined)
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
