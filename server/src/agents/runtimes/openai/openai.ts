import type { ModelConfig } from '../../../config/config.ts';
import { RequestFailed } from '../../../request-failed.ts';
import { unlimitedFetch } from '../../../unlimited-fetch.ts';
import { RuntimeFailure, type Runtime, type Step, type StepRequest } from '../runtime.ts';
import { adaptedDialect, commonDialect, isRefusal, optionFailure, type Dialect } from './dialect.ts';
import { failureFrom, ServerError } from './failures.ts';
import { fitContext, tokensOfBytes, tokensOfRequest } from './fit-context.ts';
import { instructionsFor, wireMessages } from './messages.ts';
import { PartialStep } from './partial-step.ts';
import { readStep } from './read-step.ts';
import { toolSchema } from './tool-schema.ts';

/** A runtime for servers with OpenAI's chat completions. Each step is one streamed request. */
export function openaiRuntime(config: ModelConfig): Runtime {
  // The dialect for all steps. If a step succeeds with a changed dialect, later steps keep it.
  let dialect = commonDialect;
  return {
    model: config.model,
    state: 'unknown',
    // Repeats a refused request in another dialect, then once as it is if its response was malformed, empty or 500, and
    // then with the newer half of the turns and with the last turn alone. So no earlier turn can end a session for ever.
    step: async (request) => {
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
          const failure = failureFrom(error, config.apiKey);
          const isUnnamed = failure.code === 'runtime_error';
          const adapted = adaptedDialect(error, tried);
          const turns = turnsOf(conversation).length;
          const fewerTurns = turnsMax === Infinity ? Math.floor(turns / 2) : 1;
          if (adapted !== undefined) tried.push(adapted);
          else if (isUnnamed && !isRepeated && mayBeRepeated(error, turns > 1)) isRepeated = true;
          else if (isRefusal(error) && turns > 1) turnsMax = fewerTurns;
          else
            throw (isUnnamed ? optionFailure(error, request.options, failure.cause) : undefined) ?? failure;
          request.onRestart();
        }
      }
    },
  };
}

/**
 * Returns true if the same request may succeed at once: the response was malformed, empty, or an error inside. After a
 * 500, the run waits, unless fewer turns may help.
 */
function mayBeRepeated(error: unknown, hasTurns: boolean): boolean {
  if (error instanceof RuntimeFailure || error instanceof RequestFailed) return false;
  const status = error instanceof ServerError ? error.status : undefined;
  return status === undefined || (status === 500 && hasTurns);
}

function turnsOf(conversation: StepRequest['conversation']): string[] {
  return [...new Set(conversation.map(({ run_id: id }) => id))];
}

/** The request with its newest turns only. Thoughts of earlier turns are left out unless the server requires them. */
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
    // A server that refuses a request or is not available has used no tokens.
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

/** JSON leaves out what is undefined. */
function bodyOf({ config, dialect, request, conversation }: Attempt): object {
  const { options } = request;
  const isShortened = conversation.length < request.conversation.length;
  const instructions = instructionsFor(request.instructions, isShortened);
  const tools = request.tools.map(({ name, description, parameters }) => {
    return { type: 'function', function: { name, description, parameters: toolSchema(parameters) } };
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
