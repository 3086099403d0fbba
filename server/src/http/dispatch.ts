import type { Context, Middleware } from 'koa';
import type { Request } from 'openapi-backend';
import type { VerifyToken } from '../auth/tokens.ts';
import type { Db } from '../db/tables.ts';
import { overloaded, Problem } from '../errors.ts';
import type { Operations, Principal } from '../operation.ts';
import { limitArrays } from './openapi/array-limits.ts';
import type { AllowedMethods, Contract, Step, Steps } from './openapi/contract.ts';
import { isDecodable } from './openapi/path-router.ts';
import { parseQuery, queryParameters } from './openapi/query.ts';
import { problemFromValidation } from './openapi/validation.ts';
import type { ByteBudget } from './overload/byte-budget.ts';
import type { ConcurrencyLimit } from './overload/concurrency-limit.ts';
import type { CountRequest } from './overload/rate-limit.ts';
import type { ResponseBufferLimit } from './overload/response-buffer-limit.ts';
import { authenticate } from './request/bearer.ts';
import { createBodyReader } from './request/body.ts';
import type { RequestState } from './request/request-state.ts';
import type { HttpResponse } from './response/http-response.ts';
import { sendResponse } from './response/send-response.ts';
import { operationSteps } from './run-operation.ts';

interface DispatchOptions<Services> {
  readonly contract: Contract;
  readonly operations: Operations<Services>;
  readonly services: Services;
  readonly verify: VerifyToken;
  /** Counts a request against the rate limits of its operation. */
  readonly countRequest: CountRequest;
  readonly isOverloaded: () => boolean;
  readonly concurrencyLimit: ConcurrencyLimit;
  /** The memory of bodies that are being received. */
  readonly requestBuffers: ByteBudget;
  readonly responseBuffers: ResponseBufferLimit;
}

/**
 * The steps of a request, in the order in which they run. openapi-backend finds the operation in the contract, validates the
 * request, and calls these hooks; a hook that throws a Problem ends the request.
 */
function stepsOf<Services extends { readonly db: Db }>(options: DispatchOptions<Services>): Steps {
  const { contract, operations, services, verify } = options;
  return {
    // 1. Route by path and method.
    notFound: refuseUnknownPath,
    methodNotAllowed: refuseMethod(contract.allowedMethods),
    // 2. Refuse an operation whose resource is full (`admit`) before token and body cost anything, and read the query.
    postRoutingHandler: admitOperation(operations, services),
    // 3. Verify the bearer token.
    bearer: (_context, ctx) => authenticate(ctx, verify),
    unauthorizedHandler: refuseUnauthorized,
    // 4. Refuse a caller who leaves too many responses unread, count the request against the rate limits, and read the body.
    postSecurityHandler: countAndReadBody(options),
    // 5. Validate parameters and body by the contract, which fills in defaults.
    validationFail: refuseInvalid,
    // 6. Run the operation: concurrency limit, idempotency key, `handle`, `afterCommit`.
    ...operationSteps(options),
  };
}

/** Answers the requests of all operations of the contract. */
export function createDispatch<Services extends { readonly db: Db }>(
  options: DispatchOptions<Services>,
): Middleware<RequestState> {
  const { contract, isOverloaded, responseBuffers } = options;
  const handleRequest = contract.serve(stepsOf(options));
  return async (ctx) => {
    if (!isDecodable(ctx.path)) {
      throw new Problem('Bad Request', 'The path has a "%" that is not followed by a valid escape.');
    }
    if (ctx.method === 'OPTIONS') {
      answerOptions(ctx, contract.allowedMethods(ctx.path));
      return;
    }
    // The load shedder lets requests with an allowed Origin through, because their 503 needs the CORS headers that Koa adds.
    if (isOverloaded()) throw overloaded;
    // The steps of the operations return what `run-operation` makes.
    const response = (await handleRequest(requestOf(ctx), ctx)) as HttpResponse;
    sendResponse(ctx, response);
    responseBuffers.track(ctx, response);
  };
}

function requestOf({ method, path, headers }: Context): Request {
  return { method: method === 'HEAD' ? 'GET' : method, path, headers: headers as Request['headers'] };
}

function answerOptions(ctx: Context, allowed: string | undefined): void {
  if (allowed === undefined) throw new Problem('Not found');
  ctx.status = 204;
  ctx.set('Allow', allowed);
}

const refuseUnknownPath: Step = () => {
  throw new Problem('Not found');
};

function refuseMethod(allowedMethods: AllowedMethods): Step {
  return (_context, ctx) => {
    ctx.set('Allow', allowedMethods(ctx.path) ?? '');
    throw new Problem('Method not allowed');
  };
}

function admitOperation<Services>(operations: Operations<Services>, services: Services): Step {
  return ({ operation }, ctx, request) => {
    // openapi-backend calls this hook for unknown paths too.
    if (operation === undefined) return;
    ctx.state.operation = operation.operationId;
    operations[operation.operationId].admit?.(services);
    // Declared as strings, but the contract validates these values by their types.
    request.query = parseQuery(ctx.querystring, operation) as Request['query'] & object;
  };
}

const refuseUnauthorized: Step = ({ security }) => {
  throw isRejection(security.bearer) ? security.bearer.error : new Problem('Unauthorized');
};

function isRejection(result: unknown): result is { error: unknown } {
  return typeof result === 'object' && result !== null && 'error' in result;
}

type BodyOptions = Pick<DispatchOptions<unknown>, 'countRequest' | 'requestBuffers' | 'responseBuffers'>;

/** Nothing of an unauthorized request is counted or read. */
function countAndReadBody({ countRequest, requestBuffers, responseBuffers }: BodyOptions): Step {
  const readBody = createBodyReader(requestBuffers);
  return async ({ operation, request: { params }, security }, ctx, request) => {
    if (operation === undefined || !security.authorized) return;
    // The security handler returned a Principal, and path parameters are text.
    const caller = security.bearer as Principal;
    ctx.state.caller = caller;
    if (!responseBuffers.hasRoom(caller.id)) throw overloaded;
    ctx.state.limits = await countRequest(operation.operationId, caller, params as { id?: string });
    if (operation.requestBody === undefined) return;
    request.body = await readBody(ctx, caller.id);
    limitArrays(operation, request.body);
  };
}

const refuseInvalid: Step = ({ operation, validation }) => {
  const queryNames = operation === undefined ? [] : [...queryParameters(operation).keys()];
  throw problemFromValidation(validation.errors ?? [], queryNames);
};
