import { isDeepStrictEqual } from 'node:util';
import { errorTextOf } from './failures.ts';
import { statusOf } from './unavailability.ts';

/** The parts of the protocol that a server and the chat template of its model understand. */
export interface Dialect {
  /** Requests token counts. Older servers refuse the option. */
  readonly hasStreamOptions: boolean;
  /** OpenAI's reasoning models refuse `max_tokens`. Most other servers do not know `max_completion_tokens`. */
  readonly outputLimit: 'max_tokens' | 'max_completion_tokens';
  /** Gemma 2 has no system message. */
  readonly hasSystemRole: boolean;
  /** The chat template of Llama 3 refuses a step with several calls, although the model writes such steps. */
  readonly hasParallelCalls: boolean;
}

/** The protocol as OpenAI first described it. */
export const commonDialect: Dialect = {
  hasStreamOptions: true,
  outputLimit: 'max_tokens',
  hasSystemRole: true,
  hasParallelCalls: true,
};

const adaptations: readonly { readonly refusal: RegExp; readonly change: Partial<Dialect> }[] = [
  { refusal: /stream_options/, change: { hasStreamOptions: false } },
  { refusal: /max_completion_tokens/, change: { outputLimit: 'max_completion_tokens' } },
  { refusal: /system role not supported|only user and assistant roles/i, change: { hasSystemRole: false } },
  { refusal: /single tool-calls? at once/i, change: { hasParallelCalls: false } },
];

/**
 * The statuses with which servers refuse a request that they do not understand. llama.cpp answers 500 if a chat
 * template fails.
 */
const refusalStatuses: readonly (number | undefined)[] = [400, 422, 500];

/** The dialect to try after a refusal; undefined if the dialect was not the reason. */
export function adaptationFor(error: unknown, tried: Dialect): Partial<Dialect> | undefined {
  if (!refusalStatuses.includes(statusOf(error))) return undefined;
  const text = errorTextOf(error);
  return adaptations
    .filter(({ refusal }) => refusal.test(text))
    .map(({ change }) => change)
    .find((change) => !isDeepStrictEqual({ ...tried, ...change }, tried));
}
