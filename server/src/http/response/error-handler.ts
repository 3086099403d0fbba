import type { Context, Middleware } from 'koa';
import { Problem } from '../../contract/problem.ts';
import type { ErrorCode } from '../../contract/operation.ts';
import type { Admission } from '../admission.ts';
import type { RequestState } from '../request/request-state.ts';
import { problemBody, problemHeaders } from './problem-details.ts';

/** The error code for unexpected failures of an operation. */
interface Failing {
  readonly failure: ErrorCode;
}

type Failures = Readonly<Record<string, Failing | undefined>>;

/** Answers every thrown error as problem details (RFC 9457). */
export function errorHandler(operations: Failures, admission: Admission): Middleware<RequestState> {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      ctx.state.error = error;
      answer(ctx, problemFrom(error, operations[ctx.state.operation ?? '']));
      admission.holdProblem(ctx);
    }
  };
}

/**
 * Returns a Problem unchanged. Any other error becomes the failure of the operation, whose sentence reveals nothing.
 */
export function problemFrom(error: unknown, operation?: Failing): Problem {
  if (error instanceof Problem) return error;
  return new Problem(operation?.failure ?? 'Server Error', undefined, { cause: error });
}

function answer(ctx: Context, problem: Problem): void {
  ctx.status = problem.status;
  ctx.body = problemBody(problem, (ctx.state as RequestState).requestId);
  ctx.set(problemHeaders(problem));
}
