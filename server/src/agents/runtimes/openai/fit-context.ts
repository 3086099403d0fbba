import { truncateText } from '../../../tools/result-size.ts';
import { conversationBytesMax } from '../../sessions/conversation.ts';
import type { StepRequest } from '../runtime.ts';
import { instructionsFor } from './messages.ts';

type SizedRequest = Pick<StepRequest, 'instructions' | 'context' | 'conversation' | 'tools' | 'options'>;
type Conversation = StepRequest['conversation'];
type Message = Conversation[number];

// A token has about four bytes of English, or three bytes of JSON and other alphabets. A Chinese character is about one
// token and has three bytes.
const bytesPerToken = 3;
const messageTokens = 8;

/**
 * Selects the newest complete turns, at most `turnsMax`, that fit into the model's context next to the instructions,
 * the tools and the answer. If the last turn alone does not fit, its longest tool results and arguments are shortened.
 * If the size of the context is unknown, the limit is `conversationBytesMax`.
 */
export function fitContext(request: SizedRequest, contextTokens?: number, turnsMax?: number): Conversation {
  const { max_output_tokens: wantedTokens } = request.options;
  const availableTokens =
    contextTokens === undefined
      ? conversationBytesMax / bytesPerToken
      : contextTokens - Math.min(wantedTokens ?? contextTokens / 4, contextTokens / 2) - fixedTokens(request);
  const turns = [...Map.groupBy(request.conversation, ({ run_id: id }) => id).values()].toReversed();
  let leftTokens = availableTokens;
  const fitting = turns.slice(0, turnsMax).filter((turn) => {
    leftTokens -= sum(turn.map(tokensOfMessage));
    return leftTokens >= 0;
  });
  if (fitting.length === 0) return cutTexts(turns[0] ?? [], availableTokens);
  return fitting.toReversed().flat();
}

function fixedTokens({ instructions, context, tools }: SizedRequest): number {
  return tokensOf(instructionsFor(instructions, true) + JSON.stringify([context, tools]));
}

function tokensOfMessage({ content, tool_calls: calls, provider_data: data }: Message): number {
  return messageTokens + tokensOf(content) + tokensOf(JSON.stringify([calls, data]));
}

function tokensOf(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken);
}

/** Shortens long results and arguments to a common length, so that the messages fit. */
function cutTexts(messages: Conversation, availableTokens: number): Conversation {
  const lengths = messages.flatMap(textsOf).map(tokensOf);
  const textTokens = availableTokens - sum(messages.map(tokensOfMessage)) + sum(lengths);
  let tokensMax = Math.max(textTokens, textTokensMin);
  while (tokensMax > textTokensMin && sum(lengths.map((length) => Math.min(length, tokensMax))) > textTokens)
    tokensMax = Math.max(tokensMax * 0.95, textTokensMin);
  return messages.map((message) => withTexts(message, (text) => cutText(text, tokensMax)));
}

/** The texts of a message that may be long: the result of a tool, and the arguments of calls as JSON. */
function textsOf({ role, content, tool_calls: calls }: Message): string[] {
  const texts = (calls ?? []).map((call) => JSON.stringify(call.arguments));
  return role === 'tool' ? [...texts, content] : texts;
}

function withTexts({ tool_calls: calls, ...message }: Message, replace: (text: string) => string): Message {
  const replaced = (calls ?? []).map((call) => {
    const text = JSON.stringify(call.arguments);
    const short = replace(text);
    return short === text ? call : { ...call, arguments: { arguments: short } };
  });
  const content = message.role === 'tool' ? replace(message.content) : message.content;
  return { ...message, content, tool_calls: calls === null ? null : replaced };
}

// The note about the cut takes this many tokens. A shortened text keeps at least as many of its own.
const noteTokens = 30;
const textTokensMin = 2 * noteTokens;

function cutText(text: string, tokensMax: number): string {
  const share = (tokensMax - noteTokens) / tokensOf(text);
  return tokensOf(text) <= tokensMax ? text : truncateText(text, Math.floor(text.length * share));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
