import type { Context, Middleware } from 'koa';
import type { Request } from 'openapi-backend';
import type { VerifyToken } from '../auth/tokens.ts';
import { Problem } from '../errors.ts';
import type { Operations, Principal } from '../operation.ts';
import type { AllowedMethods, Contract, Step, Steps } from './openapi/contract.ts';
import { refuseInvalid, refuseUnstorable } from './openapi/invalid-requests.ts';
import { dropUnknown } from './openapi/drop-unknown.ts';
import { isDecodable } from './openapi/path-router.ts';
import { parseQuery } from './openapi/query.ts';
import { throwIfRejected, type CapacityChecks } from './overload/capacity.ts';
import type { ConsumeRateLimits } from './overload/rate-limit.ts';
import type { ResponseBufferLimit } from './overload/response-buffer-limit.ts';
import { authenticate } from './request/bearer.ts';
import type { ReadBody } from './request/body.ts';
import { bodyValuesMaxDefault } from './request/json-limits.ts';
import type { RequestState } from './request/request-state.ts';
import type { HttpResponse } from './response/http-response.ts';
import { sendResponse } from './response/send-response.ts';
import { operationSteps, type RunOperation } from './run-operation.ts';

interface DispatchOptions {
  readonly contract: Contract;
  readonly operations: Operations<never>;
  readonly run: RunOperation;
  readonly verify: VerifyToken;
  /** Counts a request against the rate limits of its operation. */
  readonly consumeRateLimits: ConsumeRateLimits;
  readonly capacity: CapacityChecks;
  readonly readBody: ReadBody;
  readonly responseBuffers: ResponseBufferLimit;
}

/**
 * The steps of a request, in the order in which they run. openapi-backend finds the operation in the contract, validates the
 * request, and calls these hooks; a hook that throws a Problem ends the request.
 */
function stepsOf(options: DispatchOptions): Steps {
  const { contract, verify } = options;
  return {
    // 1. Route by path and method. A request without an operation passes through 2.
    notFound: refuseUnknownPath,
    methodNotAllowed: refuseMethod(contract.allowedMethods),
    // 2. Read the query. The load shedder has rejected an overloaded operation before Koa ran.
    postRoutingHandler: readQuery,
    // 3. Verify the bearer token.
    bearer: (_context, ctx) => authenticate(ctx, verify),
    // 4. Reject a caller whose share is used up, count the request against the rate limits, read the body, refuse text that
    // cannot be stored, and drop unknown fields.
    postSecurityHandler: countAndReadBody(options),
    // A request without a valid token passes through 4 untouched, and ends here.
    unauthorizedHandler: rejectUnauthorized,
    // 5. Validate parameters and body by the contract, which fills in defaults.
    validationFail: refuseInvalid(contract, options.operations),
    // 6. Run the operation: concurrency limit, idempotency key, `handle`, its write, `afterCommit`.
    ...operationSteps(options.operations, options.run),
  };
}

/** Answers the requests of all operations of the contract. */
export function createDispatch(options: DispatchOptions): Middleware<RequestState> {
  const { contract, responseBuffers } = options;
  const handleRequest = contract.serve(stepsOf(options));
  return async (ctx) => {
    if (!isDecodable(ctx.path)) {
      throw new Problem('Bad Request', 'The path has a "%" that is not followed by a valid escape.');
    }
    if (ctx.method === 'OPTIONS') {
      answerOptions(ctx, contract.allowedMethods(ctx.path));
      return;
    }
    // The steps of the operations return what `run-operation` makes.
    const response = (await handleRequest(requestOf(ctx), ctx)) as HttpResponse;
    // 7. Send the response, and count its memory, which may be too much for a safe request (503).
    sendResponse(ctx, response);
    responseBuffers.countOrReject(ctx, response);
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

const readQuery: Step = ({ operation }, ctx, request) => {
  // openapi-backend calls this hook for unknown paths too.
  if (operation === undefined) return;
  ctx.state.operation = operation.operationId;
  // Declared as strings, but the contract validates these values by their types.
  request.query = parseQuery(ctx.querystring, operation) as Request['query'] & object;
};

/** 401, or 503 while the keys of the issuer cannot be fetched. */
const rejectUnauthorized: Step = ({ security }) => {
  throw isRejection(security.bearer) ? security.bearer.error : new Problem('Unauthorized');
};

function isRejection(result: unknown): result is { error: unknown } {
  return typeof result === 'object' && result !== null && 'error' in result;
}

type BodyOptions = Pick<DispatchOptions, 'capacity' | 'consumeRateLimits' | 'operations' | 'readBody'>;

/** Nothing of an unauthorized request is counted or read. */
function countAndReadBody({ capacity, consumeRateLimits, operations, readBody }: BodyOptions): Step {
  return async ({ operation, request: { params }, security }, ctx, request) => {
    if (operation === undefined || !security.authorized) return;
    // The security handler returned a Principal, and path parameters are text.
    const caller = security.bearer as Principal;
    ctx.state.caller = caller;
    throwIfRejected(capacity.findRejection(operation.operationId, caller.id));
    ctx.state.rateLimitHeaders = await consumeRateLimits(
      operation.operationId,
      caller,
      params as { id?: string },
    );
    refuseUnstorable({ query: request.query }, ctx.querystring);
    if (operation.requestBody === undefined) return;
    const { bodyValuesMax = bodyValuesMaxDefault, storesText } = operations[operation.operationId];
    const { value, text } = await readBody(ctx, caller.id, bodyValuesMax);
    if (storesText !== false) refuseUnstorable(value, text);
    dropUnknown(operation, { body: value });
    request.body = value;
  };
}
