import { isDeepStrictEqual } from 'node:util';
import { RuntimeFailure, type StepRequest } from '../runtime.ts';
import { ServerError } from './failures.ts';

type Options = StepRequest['options'];

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
  /** Which steps are sent with their thoughts. DeepSeek and Kimi refuse a step without; some servers know none. */
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

/** What a refusal names, and the changes to try in this order. */
const adaptations: readonly { readonly named: RegExp; readonly changes: readonly Partial<Dialect>[] }[] = [
  { named: /stream_options/, changes: [{ hasStreamOptions: false }] },
  { named: /max_completion_tokens/, changes: [{ outputLimit: 'max_completion_tokens' }] },
  { named: /reasoning_content/, changes: [{ thoughts: 'all' }, { thoughts: 'none' }] },
  { named: /system role not supported|only user and assistant roles/i, changes: [{ hasSystemRole: false }] },
  { named: /single tool-calls? at once/i, changes: [{ hasParallelCalls: false }] },
];

const optionNames = [
  ['temperature', /\btemperature\b/],
  ['max_output_tokens', /\bmax_(?:completion_)?tokens\b/],
  ['reasoning_effort', /\breasoning_effort\b/],
] as const satisfies readonly (readonly [keyof Options, RegExp])[];

const refusalStatuses: readonly (number | undefined)[] = [400, 413, 422, 500];

/** Returns true if the server does not accept the request. llama.cpp answers 500 if a chat template fails. */
export function isRefusal(error: unknown): error is ServerError {
  return error instanceof ServerError && refusalStatuses.includes(error.status);
}

/** The dialect to try after a refusal; undefined if no dialect that was not tried could be the reason. */
export function adaptedDialect(error: unknown, tried: readonly Dialect[]): Dialect | undefined {
  const last = tried.at(-1);
  if (!isRefusal(error) || last === undefined) return undefined;
  return adaptations
    .filter(({ named }) => named.test(error.message))
    .flatMap((adaptation) => adaptation.changes)
    .map((change) => ({ ...last, ...change }))
    .find((dialect) => !tried.some((each) => isDeepStrictEqual(each, dialect)));
}

/** The failure if a server refuses an option that the user has set, and names it. */
export function optionFailure(error: unknown, options: Options, cause: unknown): RuntimeFailure | undefined {
  if (!isRefusal(error)) return undefined;
  const found = optionNames.find(([name, words]) => options[name] != null && words.test(error.message));
  if (found === undefined) return undefined;
  const sentence = `The model server refuses the option ${found[0]} of the agent. Change it, or leave it out.`;
  return new RuntimeFailure(sentence, 'invalid_option', cause);
}
