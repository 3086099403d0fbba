import type { Problem } from '../../errors.ts';
import { requestIdFrom } from '../request/request-state.ts';
import { corsHeaders } from './cors.ts';
import { problemBody, problemHeaders } from './problem-details.ts';
import { securityHeaders } from './security-headers.ts';

/** The request headers that the response repeats. */
interface RequestHeaders {
  readonly origin?: string | undefined;
  readonly 'x-request-id'?: string | string[] | undefined;
}

interface RawProblem {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: string;
}

export type WriteRawProblem = (problem: Problem, headers: RequestHeaders) => RawProblem;

/** Writes the problems of requests that do not reach Koa, with the same headers as Koa's responses. */
export function createRawProblems(corsOrigins: readonly string[]): WriteRawProblem {
  const headersOfCors = corsHeaders(corsOrigins);
  return (problem, headers) => {
    const requestId = requestIdFrom(String(headers['x-request-id'] ?? ''));
    const body = problemBody(problem, requestId);
    return {
      status: problem.status,
      body,
      headers: {
        ...securityHeaders,
        ...headersOfCors(headers.origin ?? ''),
        ...problemHeaders(problem),
        'Content-Length': Buffer.byteLength(body),
        'X-Request-Id': requestId,
      },
    };
  };
}
