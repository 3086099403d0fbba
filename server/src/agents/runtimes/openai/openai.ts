import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { jsonSchema, streamText, tool, type LanguageModel, type ToolSet } from 'ai';
import type { ModelConfig } from '../../../config/config.ts';
import { unlimitedFetch } from '../../unlimited-fetch.ts';
import {
  ModelUnavailable,
  type Runtime,
  type Step,
  type StepRequest,
  type ToolDescription,
} from '../runtime.ts';
import { oneCallEach, withInstructions } from './chat-template.ts';
import { adaptationFor, commonDialect, type Dialect } from './dialect.ts';
import { EmptyAnswer, failureFrom, mayBeRepeated } from './failures.ts';
import { fitContext, tokensOfBytes, tokensOfRequest } from './fit-context.ts';
import { instructionsFor, messagesFrom } from './messages.ts';
import { compatibleFetch } from './compatibility.ts';
import { applyPart, emptyStep, type PartialStep } from './partial-step.ts';
import { toolSchema } from './tool-schema.ts';

const attemptsMax = 2;

/** A runtime for servers with OpenAI's chat completions. Each step is one streamed request. */
export function openaiRuntime(config: ModelConfig): Runtime {
  // Keeps the SDK from writing warnings to the console.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  // The dialect for all steps. If a step succeeds with a changed dialect, later steps keep it.
  let dialect = commonDialect;
  return {
    model: config.model,
    // Repeats the request after a malformed or empty response. If the conversation was too long for the model, repeats
    // it with the newer half.
    step: async (request) => {
      let conversation = fitContext(request, config);
      let adapted: Partial<Dialect> = {};
      for (let malformed = 0; ;) {
        const tried = { ...dialect, ...adapted };
        try {
          const step = await requestStep(config, tried, { request, conversation });
          dialect = { ...dialect, ...adapted };
          return step;
        } catch (error) {
          request.signal.throwIfAborted();
          const failure = failureFrom(error, config.apiKey);
          const shorter = youngerHalf(conversation);
          const adaptation = adaptationFor(error, tried);
          if (adaptation !== undefined) adapted = { ...adapted, ...adaptation };
          else if (failure.code === 'context_length_exceeded' && shorter !== undefined)
            conversation = shorter;
          else if (failure instanceof ModelUnavailable) throw failure;
          else if (!mayBeRepeated(error) || ++malformed === attemptsMax) throw failure;
          request.onRestart();
        }
      }
    },
  };
}

function openModel({ name, baseUrl, apiKey, model }: ModelConfig, dialect: Dialect): LanguageModel {
  const provider = createOpenAICompatible({
    name,
    baseURL: baseUrl,
    ...(apiKey === undefined ? {} : { apiKey }),
    includeUsage: dialect.hasStreamOptions,
    transformRequestBody: ({ max_tokens, ...body }) => ({
      ...body,
      [dialect.outputLimit]: max_tokens as unknown,
    }),
    fetch: compatibleFetch(unlimitedFetch),
  });
  return provider.chatModel(model);
}

interface FittedRequest {
  readonly request: StepRequest;
  /** The part of the conversation that may be sent. */
  readonly conversation: StepRequest['conversation'];
}

async function requestStep(config: ModelConfig, dialect: Dialect, fitted: FittedRequest): Promise<Step> {
  const { request, conversation } = fitted;
  const { temperature, maxOutputTokens, reasoningEffort } = optionsFor(request, config);
  const isShortened = conversation.length < request.conversation.length;
  const instructions = instructionsFor(request.instructions, isShortened);
  const messages = messagesFrom(
    dialect.hasParallelCalls ? conversation : oneCallEach(conversation),
    request.context,
  );
  const { stream } = streamText({
    model: openModel(config, dialect),
    ...(dialect.hasSystemRole
      ? { instructions, messages }
      : { messages: withInstructions(messages, instructions) }),
    tools: toolsFrom(request.tools),
    ...(temperature !== undefined && { temperature }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(reasoningEffort !== undefined && { providerOptions: { openaiCompatible: { reasoningEffort } } }),
    abortSignal: request.signal,
    // The run retries instead of the SDK: for longer, and outside the time limit of a step.
    maxRetries: 0,
    // Errors are read from the stream. Without this function, the SDK would also write them to the console.
    onError: () => undefined,
  });
  const step = emptyStep();
  try {
    for await (const part of stream) applyPart(step, part, request);
  } catch (error) {
    // A server that refuses a request or is not available has used no tokens.
    if (request.signal.aborted || step.receivedBytes > 0) request.onTokens(tokensOfStep(step, fitted));
    throw error;
  }
  request.onTokens(tokensOfStep(step, fitted));
  if (step.text.trim() === '' && step.calls.length === 0 && step.incompleteReason === null)
    throw new EmptyAnswer();
  return step;
}

/** The tokens that the server has reported, or an estimate from the text that was sent and received. */
function tokensOfStep(
  { usage, receivedBytes }: PartialStep,
  { request, conversation }: FittedRequest,
): number {
  if (usage !== null) return usage.input_tokens + usage.output_tokens;
  return tokensOfRequest(request, conversation) + tokensOfBytes(receivedBytes);
}

/** The options of the agent. Missing options come from the runtime. */
function optionsFor(
  { options }: StepRequest,
  { temperature, maxOutputTokens, reasoningEffort }: ModelConfig,
): Pick<ModelConfig, 'temperature' | 'maxOutputTokens' | 'reasoningEffort'> {
  return {
    temperature: options.temperature ?? temperature,
    maxOutputTokens: options.max_output_tokens ?? maxOutputTokens,
    reasoningEffort: options.reasoning_effort ?? reasoningEffort,
  };
}

/** The newer half of the turns; undefined if there is only one turn. */
function youngerHalf(conversation: StepRequest['conversation']): StepRequest['conversation'] | undefined {
  const turns = [...new Set(conversation.map(({ run_id: id }) => id))];
  const youngerTurns = new Set(turns.slice(Math.ceil(turns.length / 2)));
  return turns.length === 1 ? undefined : conversation.filter(({ run_id: id }) => youngerTurns.has(id));
}

/** The tools have no `execute`, because this server calls them itself. */
function toolsFrom(descriptions: readonly ToolDescription[]): ToolSet {
  return Object.fromEntries(
    descriptions.map(({ name, description, parameters }) => [
      name,
      tool({ description, inputSchema: jsonSchema(toolSchema(parameters)) }),
    ]),
  );
}
