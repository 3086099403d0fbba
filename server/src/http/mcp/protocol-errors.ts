import type { Context } from 'koa';
import { Problem } from '../../contract/problem.ts';
import type { RequestState } from '../request/request-state.ts';
import { challengeOf, problemHeaders } from '../response/error-handler.ts';

/** A request that is JSON, but not a message that this server accepts. */
export class InvalidRequest extends Problem {
  constructor(sentence: string) {
    super('Bad Request', sentence);
  }
}

/** GET would open a session's stream and DELETE would end the session, but there are no sessions. */
export const allowedMethods = 'POST, OPTIONS';

// Parse error (JSON-RPC 2.0, section 5.1).
const parseError = -32700;
const invalidRequest = -32600;
const serverError = -32000;

/** Sends a problem as an HTTP status and a JSON-RPC error, for a request that the MCP package has not answered. */
export function sendProblem(
  ctx: Context,
  problem: Problem,
  { id, resourceMetadataUrl }: { id: string | number | null; resourceMetadataUrl: string | undefined },
): void {
  const { requestId } = ctx.state as RequestState;
  const error = {
    code: codeOf(problem),
    message: problem.message,
    data: { code: problem.code, request_id: requestId },
  };
  ctx.status = problem.status;
  ctx.body = JSON.stringify({ jsonrpc: '2.0', id, error });
  ctx.set({ ...problemHeaders(problem), 'Content-Type': 'application/json' });
  if (problem.status === 405) ctx.set('Allow', allowedMethods);
  if (problem.status === 401) {
    // The challenge says where to get a token (RFC 9728, section 5.1).
    const metadata = resourceMetadataUrl === undefined ? [] : [`resource_metadata="${resourceMetadataUrl}"`];
    ctx.set('WWW-Authenticate', challengeOf(problem, metadata));
  }
}

function codeOf(problem: Problem): number {
  if (problem instanceof InvalidRequest) return invalidRequest;
  return problem.status === 400 ? parseError : serverError;
}

const idLengthMax = 100;

/** The id of a message; null if it has none or was not parsed, or if its id is long: the response repeats the id. */
export function idOf(message: unknown): string | number | null {
  const { id } = Object(message) as { readonly id?: unknown };
  if (typeof id === 'number') return id;
  return typeof id === 'string' && id.length <= idLengthMax ? id : null;
}
