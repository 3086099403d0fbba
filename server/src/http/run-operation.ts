import type { Context } from 'koa';
import type { Request } from 'openapi-backend';
import { repeatOnConflict } from '../db/repeat-on-conflict.ts';
import type { Db } from '../db/tables.ts';
import type { Write } from '../db/write.ts';
import type { Call, OperationId, Operations, Principal, ResponseContext } from '../operation.ts';
import type { ContractOperation, OperationContext, Step } from './openapi/contract.ts';
import type { RunPerCaller } from './overload/caller-queue.ts';
import type { ConcurrencyLimit } from './overload/concurrency-limit.ts';
import { writeUnderKey } from './request/idempotency.ts';
import type { RequestState } from './request/request-state.ts';
import type { HttpResponse } from './response/http-response.ts';
import { represent, type AnyRepresentations } from './response/representation.ts';

interface RunnerOptions<Services> {
  readonly operations: Operations<Services>;
  readonly services: Services;
  readonly concurrencyLimit: ConcurrencyLimit;
  readonly runPerCaller: RunPerCaller;
}

/** A response, and the write that is executed before it is sent. */
export type PlannedResponse = HttpResponse & { readonly write?: Write | undefined };

/** An operation without its id in its types: the contract has found it and validated what it is called with. */
interface AnyOperation<Services> {
  readonly handle: (
    call: Call<OperationId>,
    services: Services,
    response: ResponseContext,
  ) => PlannedResponse | Promise<PlannedResponse>;
  readonly queue?: unknown;
  readonly isLimitedPerCaller?: true;
  readonly afterCommit?: (
    started: HttpResponse,
    call: Call<OperationId>,
    services: Services,
    response: ResponseContext,
  ) => Promise<HttpResponse>;
}

/** A validated request, before it runs. */
interface ValidatedRequest {
  readonly call: Call<OperationId>;
  /** The idempotency key; undefined without one, and for operations that take none. */
  readonly key: string | undefined;
  readonly response: ResponseContext;
  /** Empties the body of the call: the operation has committed its writes, and may wait for minutes. */
  readonly releaseBody: () => void;
}

/** Runs an operation: concurrency limit, idempotency key, `handle`, its write, `afterCommit`. */
export type RunOperation = (id: OperationId, request: ValidatedRequest) => Promise<HttpResponse>;

export function createRunner<Services extends { readonly db: Db }>({
  operations,
  services,
  concurrencyLimit,
  runPerCaller,
}: RunnerOptions<Services>): RunOperation {
  return async (id, { call, key, response, releaseBody }) => {
    // The contract has validated the call for this operation.
    const { handle, queue, isLimitedPerCaller, afterCommit } = operations[id] as AnyOperation<Services>;
    const handleAndWrite = (): Promise<HttpResponse> => {
      if (key !== undefined)
        return writeUnderKey(services.db, { operation: id, key, call }, () =>
          handle(call, services, response),
        );
      return repeatOnConflict(async () => {
        const { write, ...reply } = await handle(call, services, response);
        await write?.(services.db);
        return reply;
      });
    };
    // An operation with a queue of its own is limited by that queue.
    const runLimited = (): Promise<HttpResponse> =>
      queue === undefined ? concurrencyLimit.run(call.caller.id, handleAndWrite) : handleAndWrite();
    // Waits for the caller's own requests first, outside the limit that all callers share.
    const reply = await (isLimitedPerCaller === true
      ? runPerCaller(call.caller.id, runLimited)
      : runLimited());
    if (afterCommit === undefined) return reply;
    // A request that waits here does not count against the concurrency limit.
    releaseBody();
    return afterCommit(reply, call, services, response);
  };
}

/** The steps that run the operations for HTTP requests, by their ids. */
export function operationSteps(
  operations: Readonly<Record<OperationId, object>>,
  run: RunOperation,
): Record<string, Step> {
  const step =
    (representations: AnyRepresentations | undefined): Step =>
    async (context, ctx, request) => {
      const { operation } = context;
      if (operation === undefined)
        throw new Error('openapi-backend runs an operation that it has not found.');
      const call = { ...callFrom(context, request), requestId: (ctx.state as RequestState).requestId };
      const response = await run(operation.operationId, {
        call,
        key: keyFor(operation, ctx.get('Idempotency-Key')),
        response: new HttpResponseContext(ctx),
        releaseBody: () => {
          discardBody(call.body);
        },
      });
      return representations === undefined ? response : represent(response, representations, ctx);
    };
  return Object.fromEntries(
    Object.entries(operations).map(([id, operation]) => {
      const { representations } = operation as { readonly representations?: AnyRepresentations };
      return [id, step(representations)];
    }),
  );
}

/** The idempotency key of a request; undefined without one, and for operations that take none. */
export function keyFor({ parameters = [] }: ContractOperation, key: string): string | undefined {
  const takesKey = parameters.some(({ name }) => name === 'Idempotency-Key');
  return takesKey && key !== '' ? key : undefined;
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
function discardBody(body: object = {}): void {
  for (const name of Object.keys(body)) Reflect.deleteProperty(body, name);
}

/**
 * Creates its properties on access, because most operations use none. A class, because V8 gives each object literal with
 * getters a hidden class of its own, which keeps the request in memory until the next major garbage collection.
 */
class HttpResponseContext implements ResponseContext {
  readonly #ctx: Context;

  constructor(ctx: Context) {
    this.#ctx = ctx;
  }

  get disconnected(): AbortSignal {
    return disconnectionOf(this.#ctx);
  }

  get acceptsEventStream(): boolean {
    return this.#ctx.accepts('json', 'text/event-stream') === 'text/event-stream';
  }

  // A property, because operations take it out of its object.
  readonly addToLog: ResponseContext['addToLog'] = (fields) => {
    const state = this.#ctx.state as RequestState;
    state.logged = { ...state.logged, ...fields };
  };
}

function disconnectionOf({ res }: Context): AbortSignal {
  const disconnected = new AbortController();
  res.once('close', () => {
    disconnected.abort();
  });
  // A client may have left while the operation ran: then 'close' has been emitted already.
  if (res.closed) disconnected.abort();
  return disconnected.signal;
}
