import type { OperationId } from '../../server/src/contract/operation.ts';
import type { Answer, Client, Input } from '../support/client.ts';

/** The outcome of a request: a response that the contract documents, or a failure. */
export type RequestOutcome =
  | { readonly kind: 'responded'; readonly ms: number; readonly response: Answer<unknown> }
  | {
      readonly kind: 'unreachable' | 'disconnected' | 'timed out';
      readonly ms: number;
      readonly reason: string;
    }
  | { readonly kind: 'undocumented'; readonly ms: number; readonly reason: string };

/** Sends a request. Never rejects: a failure is an outcome too. */
export async function sendRequest(
  client: Client,
  operation: OperationId,
  input: Input = {},
  { timeoutMs = 30_000 }: { readonly timeoutMs?: number } = {},
): Promise<RequestOutcome> {
  const startMs = performance.now();
  const elapsedMs = (): number => performance.now() - startMs;
  const timedOut = Promise.withResolvers<RequestOutcome>();
  const timer = setTimeout(() => {
    timedOut.resolve({ kind: 'timed out', ms: elapsedMs(), reason: operation });
  }, timeoutMs);
  try {
    const responded = client
      .send(operation, input)
      .then((response): RequestOutcome => ({ kind: 'responded', ms: elapsedMs(), response }))
      .catch((error: unknown): RequestOutcome => ({ ...outcomeOfError(error), ms: elapsedMs() }));
    return await Promise.race([responded, timedOut.promise]);
  } finally {
    clearTimeout(timer);
  }
}

export function isSuccess(outcome: RequestOutcome): boolean {
  return outcome.kind === 'responded' && outcome.response.status < 300;
}

function outcomeOfError(error: unknown): {
  kind: 'unreachable' | 'disconnected' | 'undocumented';
  reason: string;
} {
  const code = errorCode(error) ?? errorCode(error instanceof Error ? error.cause : undefined);
  if (code === undefined) return { kind: 'undocumented', reason: String(error) };
  return { kind: code === 'ECONNREFUSED' ? 'unreachable' : 'disconnected', reason: code };
}

/** The code of a network error, such as ECONNRESET. */
function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
