import type { Context } from 'koa';
import type { Request } from 'openapi-backend';
import type { Db } from '../db/tables.ts';
import type { Call, OperationId, Operations, Principal, ResponseContext } from '../operation.ts';
import type { ContractOperation, OperationContext, Step } from './openapi/contract.ts';
import type { ConcurrencyLimit } from './overload/concurrency-limit.ts';
import { withIdempotency } from './request/idempotency.ts';
import type { HttpResponse } from './response/http-response.ts';

interface RunOptions<Services> {
  readonly operations: Operations<Services>;
  readonly services: Services;
  readonly concurrencyLimit: ConcurrencyLimit;
}

/** An operation without its id in its types: the contract has found it and validated what it is called with. */
interface AnyOperation<Services> {
  readonly handle: (call: Call<OperationId>, services: Services) => Promise<HttpResponse>;
  readonly afterCommit?: (
    started: HttpResponse,
    call: Call<OperationId>,
    services: Services,
    response: ResponseContext,
  ) => Promise<HttpResponse>;
}

/** The steps that run the operations, by their ids. */
export function operationSteps<Services extends { readonly db: Db }>({
  operations,
  services,
  concurrencyLimit,
}: RunOptions<Services>): Record<string, Step> {
  const run =
    ({ handle, afterCommit }: AnyOperation<Services>): Step =>
    async (context, ctx, request) => {
      const call = callFrom(context, request);
      const key = keyOf(context.operation, ctx);
      const response = await concurrencyLimit.run(() =>
        key === undefined
          ? handle(call, services)
          : withIdempotency(services.db, { ...key, call }, (db) => handle(call, { ...services, db })),
      );
      if (afterCommit === undefined) return response;
      discardBody(call.body, ctx);
      // A request that waits here does not count against the concurrency limit.
      return afterCommit(response, call, services, responseContextOf(ctx));
    };
  return Object.fromEntries(
    Object.entries(operations).map(([id, operation]) => [id, run(operation as AnyOperation<Services>)]),
  );
}

function callFrom(
  { request: { params, headers }, security }: OperationContext,
  request: Request,
): Call<OperationId> {
  const query: unknown = request.query;
  const body: unknown = request.body;
  // The security handler returned a Principal, and the contract that the type is made from has validated the rest.
  return { caller: security.bearer as Principal, path: params, query, headers, body } as Call<OperationId>;
}

/** Empties the parsed body in place, because openapi-backend refers to it too: a request may wait for minutes. */
function discardBody(body: object | undefined, { request }: Context): void {
  for (const name of Object.keys(body ?? {})) Reflect.deleteProperty(body ?? {}, name);
  request.body = undefined;
  request.rawBody = '';
}

/** The idempotency key of the request; undefined without one, and for operations that take none. */
function keyOf(
  operation: ContractOperation | undefined,
  ctx: Context,
): { readonly operation: OperationId; readonly key: string } | undefined {
  const takesKey = operation?.parameters?.some(({ name }) => name === 'Idempotency-Key') ?? false;
  const key = ctx.get('Idempotency-Key');
  return operation === undefined || !takesKey || key === ''
    ? undefined
    : { operation: operation.operationId, key };
}

function responseContextOf(ctx: Context): ResponseContext {
  const disconnected = new AbortController();
  ctx.res.once('close', () => {
    disconnected.abort();
  });
  // A client may have left while `handle` ran: then 'close' has been emitted already.
  if (ctx.res.closed) disconnected.abort();
  return {
    disconnected: disconnected.signal,
    acceptsEventStream: ctx.accepts('json', 'text/event-stream') === 'text/event-stream',
  };
}
