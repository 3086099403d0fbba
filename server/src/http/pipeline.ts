import type { Context } from 'koa';
import type { VerifyToken } from '../auth/tokens.ts';
import type { Contract } from '../contract/contract.ts';
import type { Route } from '../contract/router.ts';
import { Problem } from '../contract/problem.ts';
import { throwRepeatable } from '../db/errors.ts';
import type { FairQueue } from '../limits/fair-queue.ts';
import { countRequest } from '../limits/rate-limit.ts';
import type { AnyResponse, Request, OperationId, Response } from '../contract/operation.ts';
import type { Services } from '../contract/registry.ts';
import { commit } from './commit.ts';
import { callerOf } from './request/bearer.ts';
import { receive } from './request/body.ts';
import type { ReceivedRequest, RequestState } from './request/request-state.ts';
import { HttpRequestContext } from './request/request-context.ts';
import { sendResponse } from './response/send-response.ts';

export interface PipelineOptions {
  readonly contract: Contract;
  readonly services: Services;
  readonly verify: VerifyToken;
  /** Decides whose request runs next. */
  readonly queue: FairQueue;
}

export interface Pipeline {
  /** The steps of an HTTP request for an operation. A Problem that a step throws ends the request. */
  readonly respond: (ctx: Context, route: Route) => Promise<void>;
  /** The steps that a call of a tool shares with an HTTP request. */
  readonly execute: (received: ReceivedRequest) => Promise<AnyResponse>;
}

// Event streams of one caller. A browser opens at most six over HTTP/1.1, and the SDK shares one among all tabs.
const streamsMax = 20;

// One object for all, because capturing a stack trace costs more than the rest of such a request.
const clientLeft = new Problem('Bad Request', 'The connection was closed before the request began.');

export function createPipeline({ contract, services, queue, ...options }: PipelineOptions): Pipeline {
  async function respond(ctx: Context, route: Route): Promise<void> {
    const operation = contract.operation(route.operation);
    const state = ctx.state as RequestState;
    state.operation = route.operation;
    const caller = await callerOf(ctx, operation, options.verify);
    await state.place.admit(caller.id);
    const context = new HttpRequestContext(ctx);
    // Before the operation, because a caller without capacity for an event stream should not start a run.
    if (operation.mayStream && context.acceptsEventStream && !state.place.becomeLong(streamsMax))
      throw state.place.limits.longRequests.rejection;
    const parse = await receive(ctx, operation, state.place);
    const response = await execute({ ...route, caller, parse, context, state });
    queue.measure(caller.id, () => {
      sendResponse(ctx, state.place, response);
    });
  }

  async function execute(received: ReceivedRequest): Promise<AnyResponse> {
    const { caller, path, context, state } = received;
    const operation = contract.operation(received.operation);
    state.isSafe = operation.isSafe;
    const { rate } = operation;
    if (rate !== undefined) {
      const counted = queue.run(caller.id, () => countRequest(services, rate, { caller, path }));
      state.rateLimitHeaders = await counted.catch(throwRepeatable);
    }
    const work = async () => {
      // The client could not learn what the request did, and the place of the request is free already.
      if (state.place.isClosed) throw clientLeft;
      const parts = contract.validate(received.operation, { path, ...received.parse() });
      // The cast is safe, because the contract has validated the parts.
      const request = { caller, requestId: state.requestId, ...parts } as unknown as Request<OperationId>;
      return { request, response: await commit(operation, request, services, context) };
    };
    const { request, response } = await queue.run(caller.id, work, operation);
    if (operation.afterCommit === undefined) return response;
    // `afterCommit` may take minutes, so the request does not keep its body.
    const { body: _, ...withoutBody } = request;
    // The cast is safe: `handle` has returned the response, now or for an earlier request with the same key.
    return operation.afterCommit(response as Response<OperationId>, withoutBody, services, context);
  }

  return { respond, execute };
}
