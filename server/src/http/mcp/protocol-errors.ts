import type { Context } from 'koa';
import type { Problem } from '../../contract/problem.ts';
import type { RequestState } from '../request/request-state.ts';
import { challengeOf, problemHeaders } from '../response/error-handler.ts';

/** GET would open a session's stream and DELETE would end the session, but there are no sessions. */
export const allowedMethods = 'POST, OPTIONS';

/** The codes of JSON-RPC 2.0 (section 5.1). */
const codes = { parseError: -32700, invalidRequest: -32600, serverError: -32000 };

/**
 * Sends a problem as an HTTP status and a JSON-RPC error without an id, for a request that the MCP package has not
 * answered.
 */
export function sendProblem(
  ctx: Context,
  problem: Problem,
  { isParsed, resourceMetadataUrl }: { isParsed: boolean; resourceMetadataUrl: string | undefined },
): void {
  const { requestId } = ctx.state as RequestState;
  const refused = isParsed ? 'invalidRequest' : 'parseError';
  const error = {
    code: codes[problem.status === 400 ? refused : 'serverError'],
    message: problem.message,
    data: { code: problem.code, request_id: requestId },
  };
  ctx.status = problem.status;
  ctx.body = JSON.stringify({ jsonrpc: '2.0', id: null, error });
  ctx.set({ ...problemHeaders(problem), 'Content-Type': 'application/json' });
  if (problem.status === 405) ctx.set('Allow', allowedMethods);
  if (problem.status === 401) {
    // The challenge says where to get a token (RFC 9728, section 5.1).
    const metadata = resourceMetadataUrl === undefined ? [] : [`resource_metadata="${resourceMetadataUrl}"`];
    ctx.set('WWW-Authenticate', challengeOf(problem, metadata));
  }
}
