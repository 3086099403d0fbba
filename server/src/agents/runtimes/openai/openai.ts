import { setImmediate } from 'node:timers/promises';
import type { ModelConfig } from '../../../config/config.ts';
import { asObject, type Json } from '../../../lib/json.ts';
import { findExcess } from '../../../lib/json-limits.ts';
import { RequestFailed, limitBody } from '../../../lib/fetch.ts';
import { simpleSchema } from '../../../tools/portable-schema.ts';
import { unlimitedFetch } from '../../../lib/unlimited-fetch.ts';
import { RuntimeFailure, type Runtime, type Step, type StepRequest } from '../runtime.ts';
import { adaptedDialect, commonDialect, type Dialect } from './dialect.ts';
import { errorIn, failureFrom, isRefusal, Malformed, ServerError } from './failures.ts';
import { fitContext, tokensOfBytes, tokensOfRequest } from './fit-context.ts';
import { instructionsFor, wireMessages } from './messages.ts';
import { PartialStep, stepBytesMax, tooLarge } from './partial-step.ts';

/** A runtime for servers with OpenAI's chat completions. Each step is one streamed request. */
export function openaiRuntime(config: ModelConfig): Runtime {
  // The dialect for all steps. If a step succeeds with a changed dialect, later steps keep it.
  let dialect = commonDialect;
  return {
    model: config.model,
    state: 'unknown',
    // After a failure, tries what may help, in this order: another dialect, the same request once more, the newer half
    // of the turns, and the last turn alone. So no earlier turn can make all later runs of a session fail.
    step: async (given) => {
      const tools = given.tools.map(({ name, description, parameters }) => ({
        ...{ name, description, parameters: simpleSchema(parameters) },
      }));
      const request = { ...given, tools };
      const tried = [dialect];
      let [turnsMax, isRepeated] = [Infinity, false];
      for (;;) {
        const current = tried.at(-1) ?? dialect;
        const conversation = fitContext(newestTurns(request, current, turnsMax), config);
        try {
          const step = await requestStep({ config, dialect: current, request, conversation });
          dialect = current;
          return step;
        } catch (error) {
          request.signal.throwIfAborted();
          const failure = failureFrom(error, config.apiKey, request.options);
          const isUnnamed = failure.code === 'runtime_error';
          const adapted = adaptedDialect(error, tried);
          const turns = turnsOf(conversation).length;
          const fewerTurns = turnsMax === Infinity ? Math.floor(turns / 2) : 1;
          if (adapted !== undefined) tried.push(adapted);
          else if (isUnnamed && !isRepeated && mayBeRepeated(error, turns > 1)) isRepeated = true;
          else if ((isRefusal(error) || error instanceof Malformed) && turns > 1) turnsMax = fewerTurns;
          else throw failure;
          request.onRestart();
        }
      }
    },
  };
}

/**
 * Returns true if the same request may succeed at once: its response was malformed, empty, or an error without a
 * status. After a 500, a request with several turns is repeated before it is shortened. With one turn, the run waits.
 */
function mayBeRepeated(error: unknown, hasTurns: boolean): boolean {
  if (error instanceof RuntimeFailure || error instanceof RequestFailed) return false;
  const status = error instanceof ServerError ? error.status : undefined;
  return status === undefined || (status === 500 && hasTurns);
}

function turnsOf(conversation: StepRequest['conversation']): string[] {
  return [...new Set(conversation.map(({ run_id: id }) => id))];
}

/** The request with its newest turns only. Earlier turns lose thoughts and signatures unless the server needs them. */
function newestTurns(request: StepRequest, { thoughts }: Dialect, turnsMax: number): StepRequest {
  const turns = turnsOf(request.conversation).slice(-turnsMax);
  const conversation = request.conversation
    .filter(({ run_id: id }) => turns.includes(id))
    .map((message) =>
      thoughts === 'all' || message.run_id === turns.at(-1) ? message : { ...message, provider_data: null },
    );
  return { ...request, conversation };
}

interface Attempt {
  readonly config: ModelConfig;
  readonly dialect: Dialect;
  readonly request: StepRequest;
  /** The part of the conversation that is sent. */
  readonly conversation: StepRequest['conversation'];
}

async function requestStep(attempt: Attempt): Promise<Step> {
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
  const body = JSON.stringify(bodyOf(attempt));
  return unlimitedFetch(`${baseUrl}/chat/completions`, { method: 'POST', headers, body, signal });
}

/** The body of the request. JSON leaves out its undefined members. */
function bodyOf({ config, dialect, request, conversation }: Attempt): object {
  const { options } = request;
  const isShortened = conversation.length < request.conversation.length;
  const instructions = instructionsFor(request.instructions, isShortened);
  const tools = request.tools.map(({ name, description, parameters }) => {
    return { type: 'function', function: { name, description, parameters } };
  });
  return {
    model: config.model,
    messages: wireMessages({ instructions, messages: conversation, context: request.context }, dialect),
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
const turnMsMax = 10;

/** Reads the whole response of a model server, an event stream or a single object, and adds it to the step. */
async function readStep(response: Response, step: PartialStep): Promise<void> {
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
    // Some servers send lines of JSON instead of events.
    const data = line.replace(/^data:/, '').trim();
    if (data === '[DONE]') return;
    if (data.startsWith('{')) step.add(parseChunk(data));
    if (performance.now() - turnStartMs < turnMsMax) continue;
    // Let other requests run, because chunks that have already arrived are read without a pause.
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

// The limits of a request body, plus room for the protocol around arguments that are sent as JSON instead of text.
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
