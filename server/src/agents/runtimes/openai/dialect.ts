import { APICallError } from 'ai';

/** Which names of the protocol a server knows, of those that were added or replaced over the years. */
export interface Dialect {
  /** Asks for the number of tokens. Older servers refuse it. */
  readonly hasStreamOptions: boolean;
  /** OpenAI's reasoning models refuse the older name, most other servers do not know the newer one. */
  readonly outputLimit: 'max_tokens' | 'max_completion_tokens';
}

/** The dialect to try after a refusal of another one; undefined if that was not the reason. */
export function dialectFor(error: unknown, tried: Dialect): Dialect | undefined {
  const refusal = APICallError.isInstance(error) ? (error.responseBody ?? '') : '';
  if (tried.hasStreamOptions && refusal.includes('stream_options'))
    return { ...tried, hasStreamOptions: false };
  if (tried.outputLimit === 'max_tokens' && refusal.includes('max_completion_tokens'))
    return { ...tried, outputLimit: 'max_completion_tokens' };
  return undefined;
}
