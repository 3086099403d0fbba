import type { ModelConfig } from '../../../config/config.ts';
import { truncateText } from '../../../tools/result-size.ts';
import type { StepRequest } from '../runtime.ts';
import { instructionsFor } from './messages.ts';
import { toolSchema } from './tool-schema.ts';

type Conversation = StepRequest['conversation'];
type Message = Conversation[number];

// English has about four bytes in a token, JSON and other alphabets about three, Chinese about as many in a character.
const bytesPerToken = 3;
const messageTokens = 8;

/**
 * The part of a conversation that the context of the model has room for, next to instructions, tools and the answer: the
 * youngest turns, as a whole. If not even the last turn fits, the results of its tools are cut, the longest first.
 */
export function fitContext(
  request: StepRequest,
  { contextTokens, maxOutputTokens }: Pick<ModelConfig, 'contextTokens' | 'maxOutputTokens'>,
): Conversation {
  if (contextTokens === undefined) return request.conversation;
  const wantedTokens = request.options.max_output_tokens ?? maxOutputTokens ?? contextTokens / 4;
  const answerTokens = Math.min(wantedTokens, contextTokens / 2);
  const availableTokens = contextTokens - answerTokens - fixedTokens(request);
  const turns = [...Map.groupBy(request.conversation, ({ run_id: id }) => id).values()].toReversed();
  let usedTokens = 0;
  const firstOmitted = turns.findIndex((turn) => {
    usedTokens += sum(turn.map(tokensOfMessage));
    return usedTokens > availableTokens;
  });
  if (firstOmitted === 0) return cutResults(turns[0] ?? [], availableTokens);
  return turns
    .slice(0, firstOmitted === -1 ? turns.length : firstOmitted)
    .toReversed()
    .flat();
}

function fixedTokens({ instructions, context, tools }: StepRequest): number {
  const described = tools.map(({ parameters, ...tool }) => ({ ...tool, parameters: toolSchema(parameters) }));
  return tokensOf(instructionsFor(instructions, true) + JSON.stringify([context, described]));
}

function tokensOfMessage({ content, tool_calls: calls, provider_data: data }: Message): number {
  return messageTokens + tokensOf(content) + tokensOf(JSON.stringify([calls, data]));
}

function tokensOf(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken);
}

/** Cuts long results to one length, so that the messages fit. */
function cutResults(messages: Conversation, availableTokens: number): Conversation {
  const results = messages.filter(({ role }) => role === 'tool');
  const lengths = results.map(({ content }) => tokensOf(content)).toSorted((a, b) => a - b);
  let leftTokens = availableTokens - sum(messages.map(tokensOfMessage)) + sum(lengths);
  let tokensMax = 0;
  for (const [i, length] of lengths.entries()) {
    tokensMax = leftTokens / (lengths.length - i);
    // Longer results get the room that a short result leaves.
    if (length > tokensMax) break;
    leftTokens -= length;
  }
  return messages.map((message) =>
    message.role === 'tool' ? { ...message, content: cutText(message.content, tokensMax) } : message,
  );
}

// The sentence that says what was cut, and enough of a text to recognize it.
const noteTokens = 30;
const textTokensMin = 30;

function cutText(text: string, tokensMax: number): string {
  const tokens = tokensOf(text);
  if (tokens <= Math.max(tokensMax, textTokensMin + noteTokens)) return text;
  const share = Math.max(tokensMax - noteTokens, textTokensMin) / tokens;
  return truncateText(text, Math.floor(text.length * share));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
