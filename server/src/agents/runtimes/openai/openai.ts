import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { jsonSchema, streamText, tool, type LanguageModel, type TextStreamPart, type ToolSet } from 'ai';
import type { ModelConfig } from '../../config.ts';
import type { RequestedCall, Runtime, Step, StepRequest, ToolDescription } from '../runtime.ts';
import { failureFrom, isBrokenAnswer } from './failures.ts';
import { instructionsFor, messagesFrom } from './messages.ts';
import { compatibleFetch } from './compatibility.ts';

const attemptsMax = 2;

/** Any server that speaks OpenAI's chat completions: one model step for each call, text as it is written. */
export function openaiRuntime({ name, baseUrl, apiKey, model }: ModelConfig): Runtime {
  // The SDK would write its warnings on the console.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  const provider = createOpenAICompatible({
    name,
    baseURL: baseUrl,
    ...(apiKey === undefined ? {} : { apiKey }),
    includeUsage: true,
    fetch: compatibleFetch(fetch),
  });
  const languageModel = provider.chatModel(model);
  return { model, step: (request) => stepWithRetry(languageModel, request) };
}

/** Asks again when an answer breaks off or is nonsense; refusals and overload the SDK has tried again already. */
async function stepWithRetry(model: LanguageModel, request: StepRequest): Promise<Step> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await step(model, request);
    } catch (error) {
      request.signal.throwIfAborted();
      if (attempt === attemptsMax || !isBrokenAnswer(error)) throw failureFrom(error);
    }
  }
}

async function step(model: LanguageModel, request: StepRequest): Promise<Step> {
  const { stream } = streamText({
    model,
    instructions: instructionsFor(request.instructions),
    messages: messagesFrom(request.conversation, request.context),
    tools: toolsFrom(request.tools),
    abortSignal: request.signal,
    // Errors are read from the stream; without this the SDK would also write them on the console.
    onError: () => undefined,
  });
  const answer: Answer = { text: '', calls: [], usage: null };
  for await (const part of stream) take(answer, part, request);
  return answer;
}

/** Tools without `execute`: the loop of this server calls them. */
function toolsFrom(descriptions: readonly ToolDescription[]): ToolSet {
  return Object.fromEntries(
    descriptions.map(({ name, description, parameters }) => [
      name,
      tool({ description, inputSchema: jsonSchema(parameters) }),
    ]),
  );
}

interface Answer {
  text: string;
  calls: RequestedCall[];
  usage: Step['usage'];
}

function take(answer: Answer, part: TextStreamPart<ToolSet>, { onText, signal }: StepRequest): void {
  switch (part.type) {
    case 'text-delta':
      answer.text += part.text;
      onText(part.text);
      return;
    case 'tool-call':
      answer.calls.push({ name: part.toolName, arguments: objectOrNothing(part.input) });
      return;
    case 'finish-step': {
      const { inputTokens, outputTokens } = part.usage;
      if (inputTokens === undefined || outputTokens === undefined) return;
      answer.usage = { input_tokens: inputTokens, output_tokens: outputTokens };
      return;
    }
    case 'error':
      throw part.error;
    case 'abort':
      signal.throwIfAborted();
      return;
    default:
      return;
  }
}

function objectOrNothing(input: unknown): RequestedCall['arguments'] {
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
  return isObject ? (input as Record<string, unknown>) : undefined;
}
