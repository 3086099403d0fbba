import type { Context, Middleware } from 'koa';
import { Problem } from '../../errors.ts';
import type { ErrorCode, OperationId } from '../../operation.ts';
import type { RequestState } from '../request/request-state.ts';
import { problemBody } from './problem-details.ts';

/** The code of an operation that fails for an unexpected reason. */
const fallbackCodes: Record<OperationId, ErrorCode> = {
  listTasks: 'Failed to list tasks',
  createTask: 'Failed to create task',
  getTask: 'Failed to get task',
  updateTask: 'Failed to update task',
  deleteTask: 'Failed to delete task',
  assignTask: 'Failed to assign task',
  listComments: 'Failed to list comments',
  createComment: 'Failed to create comment',
  listAuditLogs: 'Failed to list audit logs',
  listChanges: 'Failed to list audit logs',
  getVizStatus: 'RENDER_ERROR',
  renderSvg: 'RENDER_ERROR',
  renderPng: 'RENDER_ERROR',
  renderPdf: 'RENDER_ERROR',
  listAgents: 'Server Error',
  createAgent: 'Server Error',
  getAgent: 'Server Error',
  updateAgent: 'Server Error',
  deleteAgent: 'Server Error',
  runAgent: 'Server Error',
  getRun: 'Server Error',
  cancelRun: 'Server Error',
  decideToolCalls: 'Server Error',
  listSessions: 'Server Error',
  getSession: 'Server Error',
  deleteSession: 'Server Error',
  listMessages: 'Server Error',
};

/** Answers whatever was thrown as problem details (RFC 9457). */
export function errorHandler(): Middleware<RequestState> {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      ctx.state.error = error;
      answer(ctx, problemFrom(error, ctx.state.operation));
    }
  };
}

/** A Problem is itself; anything else is a failure of the operation, whose sentence reveals nothing. */
export function problemFrom(error: unknown, operation: OperationId | undefined): Problem {
  if (error instanceof Problem) return error;
  const code = operation === undefined ? 'Server Error' : fallbackCodes[operation];
  return new Problem(code, undefined, { cause: error });
}

function answer(ctx: Context, problem: Problem): void {
  ctx.status = problem.status;
  ctx.body = problemBody(problem, (ctx.state as RequestState).requestId);
  ctx.type = 'application/problem+json';
  ctx.set({ ...problem.headers });
  if (problem.status === 401) ctx.set('WWW-Authenticate', 'Bearer');
  if (problem.retryAfterS !== undefined) ctx.set('Retry-After', String(problem.retryAfterS));
}
