import type { Context } from 'koa';
import { Problem } from '../../errors.ts';
import type { RequestState } from '../request/request-state.ts';

/** One request is one message, so that the limits of a request are those of a tool call. */
export const noBatches = new Problem(
  'Bad Request',
  'Send one message in each request: batches are not part of the protocol since its revision 2025-06-18.',
);

/** There is no session to open a stream of or to delete. */
export const allowedMethods = 'POST, OPTIONS';

// JSON-RPC 2.0, section 5.1.
const parseError = -32700;
const invalidRequest = -32600;
const serverError = -32000;

/** Answers a request that did not reach the protocol, with the status of HTTP and an error of JSON-RPC. */
export function sendProblem(ctx: Context, problem: Problem, resourceMetadataUrl: string | undefined): void {
  const { requestId } = ctx.state as RequestState;
  const error = {
    code: codeOf(problem),
    message: problem.message,
    data: { code: problem.code, request_id: requestId },
  };
  ctx.status = problem.status;
  ctx.body = JSON.stringify({ jsonrpc: '2.0', id: null, error });
  ctx.type = 'application/json';
  ctx.set({ ...problem.headers });
  if (problem.status === 405) ctx.set('Allow', allowedMethods);
  if (problem.status === 401) ctx.set('WWW-Authenticate', challenge(ctx, resourceMetadataUrl));
  if (problem.retryAfterS !== undefined) ctx.set('Retry-After', String(problem.retryAfterS));
}

function codeOf(problem: Problem): number {
  if (problem === noBatches) return invalidRequest;
  return problem.status === 400 ? parseError : serverError;
}

/** How to get a token (RFC 6750, section 3, and RFC 9728, section 5.1). */
function challenge(ctx: Context, resourceMetadataUrl: string | undefined): string {
  const parameters = [
    ...(ctx.get('Authorization') === '' ? [] : ['error="invalid_token"']),
    ...(resourceMetadataUrl === undefined ? [] : [`resource_metadata="${resourceMetadataUrl}"`]),
  ];
  return ['Bearer', parameters.join(', ')].filter((part) => part !== '').join(' ');
}
