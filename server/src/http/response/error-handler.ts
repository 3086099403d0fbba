import { STATUS_CODES } from 'node:http';
import type { Middleware } from 'koa';
import { Problem } from '../../contract/problem.ts';
import type { ErrorCode, Schemas } from '../../contract/operation.ts';
import type { RequestState } from '../request/request-state.ts';

/** The error codes for unexpected failures of operations. */
type Failures = Readonly<Record<string, { readonly failure: ErrorCode } | undefined>>;

/** Answers every thrown error as problem details (RFC 9457). */
export function errorHandler(operations: Failures): Middleware<RequestState> {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      ctx.state.error = error;
      const problem = problemFrom(error, operations[ctx.state.operation ?? '']);
      ctx.status = problem.status;
      const body = problemBody(problem, ctx.state.requestId);
      ctx.body = body;
      // A problem is sent even if the caller has no capacity for its bytes.
      ctx.state.place.setBytes(Buffer.byteLength(body));
      ctx.set(problemHeaders(problem, ctx.state.resourceMetadataUrl));
    }
  };
}

/**
 * Returns a Problem unchanged. Any other error becomes the failure of the operation, whose sentence reveals nothing.
 */
export function problemFrom(error: unknown, operation?: Failures[string]): Problem {
  if (error instanceof Problem) return error;
  return new Problem(operation?.failure ?? 'Server Error', undefined, { cause: error });
}

/** The JSON of a problem. */
function problemBody(problem: Problem, requestId: string): string {
  const { code, status, message } = problem;
  const { errors, extensions } = problem.options;
  const body: Schemas['Problem'] = {
    type: 'about:blank',
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail: message,
    code,
    error: code,
    request_id: requestId,
    ...(errors === undefined ? {} : { errors: [...errors] }),
    ...extensions,
  };
  return JSON.stringify(body);
}

function problemHeaders(problem: Problem, resourceMetadataUrl?: string): Readonly<Record<string, string>> {
  const { retryAfterS, headers } = problem.options;
  return {
    'Content-Type': 'application/problem+json',
    ...(problem.status === 401 ? { 'WWW-Authenticate': challengeOf(problem, resourceMetadataUrl) } : {}),
    ...(retryAfterS === undefined ? {} : { 'Retry-After': String(retryAfterS) }),
    ...headers,
  };
}

/**
 * The challenge of a 401, which says how to authenticate (RFC 6750, section 3, and RFC 9728, section 5.1). Only a 401
 * for a token that was sent has errors.
 */
function challengeOf({ options, message }: Problem, resourceMetadataUrl?: string): string {
  // A description must not have quotes or backslashes.
  const description = message.replaceAll(/["\\]/g, "'");
  const parameters = [
    ...(options.errors ? ['error="invalid_token"', `error_description="${description}"`] : []),
    ...(resourceMetadataUrl === undefined ? [] : [`resource_metadata="${resourceMetadataUrl}"`]),
  ];
  return `Bearer ${parameters.join(', ')}`.trim();
}
