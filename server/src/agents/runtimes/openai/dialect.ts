import { isDeepStrictEqual } from 'node:util';
import { isRefusal } from './failures.ts';

/** The parts of the protocol that a server and the chat template of its model understand. */
export interface Dialect {
  /** Requests token counts. Older servers refuse the option. */
  readonly hasStreamOptions: boolean;
  /** OpenAI's reasoning models refuse `max_tokens`. Most other servers do not know `max_completion_tokens`. */
  readonly outputLimit: 'max_tokens' | 'max_completion_tokens';
  /** Gemma 2, and Gemma 3 at Google, refuse system messages. */
  readonly hasSystemRole: boolean;
  /** The chat template of Llama 3 refuses a step with several calls, although the model writes such steps. */
  readonly hasParallelCalls: boolean;
  /** The steps whose thoughts are sent. DeepSeek and Kimi require thoughts; some servers refuse them. */
  readonly thoughts: 'run' | 'all' | 'none';
}

/** The protocol as OpenAI first described it. */
export const commonDialect: Dialect = {
  hasStreamOptions: true,
  outputLimit: 'max_tokens',
  hasSystemRole: true,
  hasParallelCalls: true,
  thoughts: 'run',
};

/** The changes to try, in this order, after a refusal whose message matches `named`. */
const adaptations: readonly { readonly named: RegExp; readonly changes: readonly Partial<Dialect>[] }[] = [
  { named: /stream_options/, changes: [{ hasStreamOptions: false }] },
  { named: /system role|developer instruction/i, changes: [{ hasSystemRole: false }] },
  { named: /max_completion_tokens/, changes: [{ outputLimit: 'max_completion_tokens' }] },
  { named: /reasoning(?!_effort)|thinking|thought/i, changes: [{ thoughts: 'all' }, { thoughts: 'none' }] },
];

/** The dialect to try after a refusal, by its message; undefined if all were tried. */
export function adaptedDialect(error: unknown, tried: readonly Dialect[]): Dialect | undefined {
  if (!isRefusal(error)) return undefined;
  return adaptations
    .flatMap(({ named, changes }) => (named.test(error.message) ? changes : []))
    .map((change) => ({ ...(tried.at(-1) ?? commonDialect), ...change }))
    .find((dialect) => !tried.some((each) => isDeepStrictEqual(each, dialect)));
}
