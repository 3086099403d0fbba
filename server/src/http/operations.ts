import type { Context, Middleware } from 'koa';
import type { VerifyToken } from '../auth/tokens.ts';
import type { Contract } from '../contract/contract.ts';
import { isDecodable } from '../contract/router.ts';
import { parseQuery } from '../contract/query.ts';
import { Problem } from '../errors.ts';
import type { FairLimit } from '../limits/fair-limit.ts';
import type { Operations, ResponseContext } from '../operation.ts';
import type { HandleRequest } from './handle-request.ts';
import { authenticate } from './request/bearer.ts';
import type { ReceiveBody } from './request/body.ts';
import { disconnectionOf } from './request/disconnection.ts';
import type { RequestState } from './request/request-state.ts';
import { acceptedType } from './response/accepted-type.ts';
import { represent, type AnyRepresentations, sendResponse } from './response/send-response.ts';

interface ServeOptions {
  readonly contract: Contract;
  readonly operations: Operations<never>;
  readonly verify: VerifyToken;
  readonly receiveBody: ReceiveBody;
  readonly handleRequest: HandleRequest;
  /** The memory of responses that clients have not read yet. */
  readonly responses: FairLimit;
}

/** Answers HTTP requests for the operations of the contract. */
export function serveOperations(options: ServeOptions): Middleware<RequestState> {
  const { contract, operations, verify, receiveBody, handleRequest, responses } = options;
  return async (ctx) => {
    const { state } = ctx;
    if (!isDecodable(ctx.path))
      throw new Problem('Bad Request', 'The path has a "%" that is not followed by a valid escape.');
    if (ctx.method === 'OPTIONS') {
      answerOptions(ctx, contract.allowedMethods(ctx.path));
      return;
    }
    const { operation, path } = contract.getRoute(ctx.method, ctx.path);
    const response = await handleRequest({
      operation: operation.operationId,
      path,
      authenticate: () => authenticate(ctx, verify),
      receive: async (caller) => {
        const parseBody = operation.requestBody && (await receiveBody(ctx, caller.id));
        return async (valuesMax) => ({
          query: parseQuery(ctx.querystring, operation),
          headers: ctx.headers,
          body: await parseBody?.(valuesMax),
        });
      },
      response: new HttpResponseContext(ctx),
      state,
    });
    const { representations } = operations[operation.operationId] as { representations?: AnyRepresentations };
    sendResponse(
      ctx,
      representations === undefined ? response : represent(response, representations, ctx),
      responses,
    );
  };
}

function answerOptions(ctx: Context, allowed: string | undefined): void {
  if (allowed === undefined) throw new Problem('Not found');
  ctx.status = 204;
  ctx.set('Allow', allowed);
}

/**
 * Creates its properties on access, because most operations use none. It is a class because V8 gives each object
 * literal with getters its own hidden class, which keeps the request in memory until the next major garbage collection.
 */
class HttpResponseContext implements ResponseContext {
  readonly #ctx: Context;
  #disconnected: AbortSignal | undefined;

  constructor(ctx: Context) {
    this.#ctx = ctx;
  }

  get disconnected(): AbortSignal {
    this.#disconnected ??= disconnectionOf(this.#ctx.res);
    return this.#disconnected;
  }

  get acceptsEventStream(): boolean {
    return acceptedType(this.#ctx, ['application/json', 'text/event-stream']) === 'text/event-stream';
  }

  // Not a method, because operations destructure the context.
  readonly addToLog: ResponseContext['addToLog'] = (fields) => {
    const state = this.#ctx.state as RequestState;
    state.logged = { ...state.logged, ...fields };
  };
}
