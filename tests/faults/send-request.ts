import { setTimeout as pause } from 'node:timers/promises';
import type { OperationId } from '../../server/src/contract/operation.ts';
import type { Answer, Client, Input } from '../support/client.ts';

/** The outcome of a request: a response that the contract documents, or a failure. */
export type RequestOutcome =
  | { readonly kind: 'responded'; readonly ms: number; readonly response: Answer<unknown> }
  | {
      readonly kind: 'unreachable' | 'disconnected' | 'timed out' | 'undocumented';
      readonly ms: number;
      readonly reason: string;
    };

const timeoutMs = 30_000;

/** Sends a request. Never rejects: a failure is an outcome too. */
export async function sendRequest(
  client: Client,
  operation: OperationId,
  input: Input = {},
): Promise<RequestOutcome> {
  const startMs = performance.now();
  const answered = new AbortController();
  const timedOut = pause(timeoutMs, undefined, { signal: answered.signal });
  try {
    const response = await Promise.race([client.send(operation, input), timedOut]);
    const ms = performance.now() - startMs;
    if (response === undefined) return { kind: 'timed out', ms, reason: operation };
    return { kind: 'responded', ms, response };
  } catch (error) {
    return { ...outcomeOfError(error), ms: performance.now() - startMs };
  } finally {
    answered.abort();
  }
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
