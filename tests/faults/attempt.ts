import type { OperationId } from '../../server/src/operation.ts';
import type { Answer, Client, Input } from '../support/client.ts';

/** What became of a request: an answer as the contract documents it, or none. */
export type Attempt =
  | { readonly kind: 'answered'; readonly ms: number; readonly answer: Answer<unknown> }
  | {
      readonly kind: 'unreachable' | 'cut off' | 'no answer in time';
      readonly ms: number;
      readonly reason: string;
    }
  | { readonly kind: 'undocumented'; readonly ms: number; readonly reason: string };

/** Sends a request and never rejects. */
export async function attempt(
  client: Client,
  operation: OperationId,
  input: Input = {},
  { limitMs = 30_000 }: { readonly limitMs?: number } = {},
): Promise<Attempt> {
  const startMs = performance.now();
  const since = (): number => performance.now() - startMs;
  const late = Promise.withResolvers<Attempt>();
  const timer = setTimeout(() => {
    late.resolve({ kind: 'no answer in time', ms: since(), reason: operation });
  }, limitMs);
  try {
    const answered = client
      .send(operation, input)
      .then((answer): Attempt => ({ kind: 'answered', ms: since(), answer }))
      .catch((error: unknown): Attempt => ({ ...failureOf(error), ms: since() }));
    return await Promise.race([answered, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function failureOf(error: unknown): { kind: 'unreachable' | 'cut off' | 'undocumented'; reason: string } {
  const code = codeOf(error) ?? codeOf(error instanceof Error ? error.cause : undefined);
  if (code === undefined) return { kind: 'undocumented', reason: String(error) };
  return { kind: code === 'ECONNREFUSED' ? 'unreachable' : 'cut off', reason: code };
}

/** The code of a broken connection, such as ECONNRESET. */
function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
