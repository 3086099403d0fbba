import type { Context } from 'koa';
import type { Request } from 'openapi-backend';
import type { Db } from '../db/tables.ts';
import type { Call, Exchange, Finishers, Handlers, OperationId, Principal } from '../operations.ts';
import type { Operation, OperationContext, Step } from './contract.ts';
import { idempotently, type WireReply } from './idempotency.ts';
import type { Slots } from './slots.ts';

export interface OperationsParts<Services> {
  readonly handlers: Handlers<Services>;
  readonly finishers: Finishers<Services>;
  readonly services: Services;
  readonly slots: Slots;
}

/** Any handler: the contract that types it has found it and validated what it is called with. */
type AnyHandler<Services> = (call: Call<OperationId>, services: Services) => Promise<WireReply>;

/** The second part of any operation that has one. */
type AnyFinisher<Services> = (
  started: WireReply,
  call: Call<OperationId>,
  services: Services,
  exchange: Exchange,
) => Promise<WireReply>;

/** The steps that run the handlers of the operations, by their ids. */
export function operationSteps<Services extends { readonly db: Db }>({
  handlers,
  finishers,
  services,
  slots,
}: OperationsParts<Services>): Record<string, Step> {
  const steps: Record<string, Step> = {};
  for (const [id, handler] of Object.entries(handlers)) {
    const parts = {
      slots,
      handler: handler as AnyHandler<Services>,
      finisher: finishers[id as OperationId] as AnyFinisher<Services> | undefined,
    };
    steps[id] = (context, ctx, request) => operate(parts, services, { context, ctx, request });
  }
  return steps;
}

interface StepArguments {
  readonly context: OperationContext;
  readonly ctx: Context;
  readonly request: Request;
}

interface OperationParts<Services> {
  readonly slots: Slots;
  readonly handler: AnyHandler<Services>;
  readonly finisher: AnyFinisher<Services> | undefined;
}

async function operate<Services extends { readonly db: Db }>(
  { slots, handler, finisher }: OperationParts<Services>,
  services: Services,
  { context: { operation, request: parsed, security }, ctx, request }: StepArguments,
): Promise<WireReply> {
  // The security handler returned a Principal, or this would not have been reached.
  const caller = security.bearer as Principal;
  const { params: path, headers } = parsed;
  const query: unknown = request.query;
  const body: unknown = request.body;
  // Validated just now by the contract that the type is made from.
  const call = { caller, path, query, headers, body } as Call<OperationId>;

  const key = takesKey(operation) ? ctx.get('Idempotency-Key') : '';
  const keyed = { operation: operation.operationId, caller, key, path, body };
  const reply = await slots.run(() =>
    key === ''
      ? handler(call, services)
      : idempotently(services.db, keyed, (db) => handler(call, { ...services, db })),
  );
  // Who waits for something takes no slot.
  return finisher === undefined ? reply : finisher(reply, call, services, exchangeOf(ctx));
}

function exchangeOf(ctx: Context): Exchange {
  const left = new AbortController();
  ctx.res.once('close', () => {
    left.abort();
  });
  // A client may have left while the handler ran: then 'close' has been emitted already.
  if (ctx.res.closed) left.abort();
  return { left: left.signal, wantsEvents: ctx.accepts('json', 'text/event-stream') === 'text/event-stream' };
}

function takesKey(operation: Operation): boolean {
  return (operation.parameters ?? []).some(({ name }) => name === 'Idempotency-Key');
}
