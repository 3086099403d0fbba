import type { Context } from 'koa';
import type { VerifyToken } from '../auth/tokens.ts';
import type { Contract } from '../contract/contract.ts';
import { parseQuery } from '../contract/query.ts';
import type { Route } from '../contract/router.ts';
import { throwRepeatable } from '../db/errors.ts';
import type { JsonLimits } from '../lib/json-limits.ts';
import type { FairQueue } from '../limits/fair-queue.ts';
import type { LoopTime } from '../limits/loop-time.ts';
import type { CountRequest } from '../limits/rate-limit.ts';
import type { Call, OperationId, Operations, RequestParts } from '../contract/operation.ts';
import type { Services } from '../contract/registry.ts';
import type { Admission } from './admission.ts';
import { commit } from './commit.ts';
import { callerOf } from './request/bearer.ts';
import { receiveBody } from './request/body.ts';
import type { RequestState } from './request/request-state.ts';
import type { HttpResponse } from './response/http-response.ts';
import { HttpResponseContext } from './response/response-context.ts';
import { sendResponse } from './response/send-response.ts';
import { describeOperations, type OperationRequest } from './served-operation.ts';

interface PipelineOptions {
  readonly contract: Contract;
  readonly operations: Operations<never>;
  readonly services: Services;
  readonly verify: VerifyToken;
  readonly admission: Admission;
  readonly queue: FairQueue;
  readonly loopTime: LoopTime;
  readonly countRequest: CountRequest;
}

export interface Pipeline {
  /** The steps of an HTTP request for an operation. A thrown Problem ends it. */
  readonly respond: (ctx: Context, route: Route) => Promise<void>;
  /** The steps that a call of a tool shares with an HTTP request. */
  readonly execute: (request: OperationRequest) => Promise<HttpResponse>;
}

export function createPipeline({ contract, services, ...options }: PipelineOptions): Pipeline {
  const { verify, admission, queue, loopTime, countRequest } = options;
  const find = describeOperations(contract, options.operations);

  async function respond(ctx: Context, { operation, path }: Route): Promise<void> {
    const { operationId: id, requestBody } = operation;
    const state = ctx.state as RequestState;
    state.operation = id;
    const caller = await callerOf(ctx, operation, verify);
    const place = await admission.admit(ctx, caller.id);
    const context = new HttpResponseContext(ctx);
    try {
      // Takes the room now, because the stream of a run that has started must not be refused.
      if (find(id).startsRun === true && context.acceptsEventStream) place.becomeStream();
      const body = requestBody && (await receiveBody(ctx, place));
      const parse = (limits: JsonLimits): RequestParts => {
        const query = parseQuery(ctx.querystring, operation);
        const parts = { path, query, headers: ctx.headers, body: body?.parse(limits) };
        place.hold(0);
        return parts;
      };
      const response = await execute({ operation: id, caller, path, parse, response: context, state });
      loopTime.measure(caller.id, () => {
        sendResponse(ctx, place, response, find(id).representations);
      });
    } finally {
      place.end();
    }
  }

  async function execute(request: OperationRequest): Promise<HttpResponse> {
    const { caller, response, state } = request;
    const operation = find(request.operation);
    state.isSafe = operation.isSafe;
    state.rateLimitHeaders = await countRequest(operation.rate, request, caller).catch(throwRepeatable);
    const { committed, call } = await queue.run(caller.id, response, async (turn) => {
      const parts = contract.validate(operation.id, request.parse(operation.jsonLimits), operation);
      // The type comes from the contract, which has validated the parts.
      const call = { caller, requestId: state.requestId, ...parts } as unknown as Call<OperationId>;
      const plan = () => operation.handle(call, services, response, turn);
      return { committed: await commit({ db: services.db, operation, call }, plan), call };
    });
    if (operation.afterCommit === undefined) return committed;
    // This may take minutes, so the request keeps neither its place nor its body.
    state.place?.giveBack();
    const { body: _, ...withoutBody } = call;
    return operation.afterCommit(committed, withoutBody, services, response);
  }

  return { respond, execute };
}
