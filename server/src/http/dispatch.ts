import type { Context, Middleware } from 'koa';
import type { Request } from 'openapi-backend';
import type { VerifyToken } from '../auth/tokens.ts';
import type { Db } from '../db/tables.ts';
import { Problem } from '../errors.ts';
import type { Call, Exchange, Finishers, Handlers, OperationId, Principal } from '../operations.ts';
import { authenticate } from './bearer.ts';
import { readBody } from './body.ts';
import type { Contract, Operation, OperationContext, Step } from './contract.ts';
import { idempotently, type WireReply } from './idempotency.ts';
import { parseQuery, queryParameters } from './query.ts';
import type { Admit } from './rate-limit.ts';
import { write } from './reply.ts';
import type { Slots } from './slots.ts';
import type { RequestState } from './state.ts';
import type { Unread } from './unread.ts';
import { validationProblem } from './validation.ts';

/** Any handler: the contract that types it has found it and validated what it is called with. */
type AnyHandler<Services> = (call: Call<OperationId>, services: Services) => Promise<WireReply>;

/** The second part of any operation that has one. */
type AnyFinisher<Services> = (
  started: WireReply,
  call: Call<OperationId>,
  services: Services,
  exchange: Exchange,
) => Promise<WireReply>;

interface DispatchParts<Services> {
  readonly contract: Contract;
  readonly handlers: Handlers<Services>;
  readonly finishers: Finishers<Services>;
  readonly services: Services;
  readonly verify: VerifyToken;
  readonly admit: Admit;
  readonly slots: Slots;
  readonly unread: Unread;
}

/**
 * Takes each request to the handler of its operation: the contract finds it, says who must be authenticated and what
 * is valid, and the reply goes on the wire.
 */
export function createDispatch<Services extends { readonly db: Db }>({
  contract,
  handlers,
  finishers,
  services,
  verify,
  admit,
  slots,
  unread,
}: DispatchParts<Services>): Middleware<RequestState> {
  const operations: Record<string, Step> = {};
  for (const [id, handler] of Object.entries(handlers)) {
    const parts = {
      slots,
      handler: handler as AnyHandler<Services>,
      finisher: finishers[id as OperationId] as AnyFinisher<Services> | undefined,
    };
    operations[id] = (context, ctx, request) => operate(parts, services, { context, ctx, request });
  }
  const methodNotAllowed: Step = (_context, ctx) => {
    ctx.set('Allow', contract.allowedMethods(ctx.path) ?? '');
    throw new Problem('Method not allowed');
  };
  const handle = contract.serve(
    { ...steps, methodNotAllowed, postSecurityHandler: beforeBody(admit), ...operations },
    (_context, ctx) => authenticate(ctx, verify),
  );

  return async (ctx) => {
    refuseBadEscapes(ctx.path);
    if (ctx.method === 'OPTIONS') {
      tellMethods(ctx, contract.allowedMethods(ctx.path));
      return;
    }
    // Under overload, what a refusal costs is taken from those who are answered.
    slots.refuseWhenFull();
    unread.refuseWhenFull();
    const reply = (await handle(requestOf(ctx), ctx)) as WireReply;
    write(ctx, reply);
    unread.hold(ctx, reply);
  };
}

function requestOf({ method, path, headers }: Context): Request {
  return { method: method === 'HEAD' ? 'GET' : method, path, headers: headers as Request['headers'] };
}

/** What openapi-backend calls between finding the operation and its handler, and when there is no way on. */
const steps: Record<string, Step> = {
  postRoutingHandler: ({ operation }: { operation?: Operation }, ctx, request) => {
    if (operation === undefined) return;
    ctx.state.operation = operation.operationId;
    // Declared as strings, but validated as what they are.
    request.query = parseQuery(ctx.querystring, operation) as Request['query'] & object;
  },
  unauthorizedHandler: ({ security }) => {
    throw isRejection(security.bearer) ? security.bearer.error : new Problem('Unauthorized');
  },
  validationFail: ({ operation, validation }) => {
    throw validationProblem(validation.errors ?? [], [...queryParameters(operation).keys()]);
  },
  notFound: () => {
    throw new Problem('Not found');
  },
};

/** The body is read last: whoever is not authenticated or asks too often learns nothing of it and costs nothing. */
function beforeBody(admit: Admit): Step {
  return async ({ operation, request: { params }, security }, ctx, request) => {
    if (!security.authorized) return;
    // The security handler returned a Principal, and path parameters are text.
    const caller = security.bearer as Principal;
    ctx.state.caller = caller;
    ctx.state.limits = await admit(operation.operationId, caller, params as { id?: string });
    if (operation.requestBody !== undefined) request.body = await readBody(ctx);
  };
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
  return { left: left.signal, wantsEvents: ctx.accepts('json', 'text/event-stream') === 'text/event-stream' };
}

function tellMethods(ctx: Context, allow: string | undefined): void {
  if (allow === undefined) throw new Problem('Not found');
  ctx.status = 204;
  ctx.set('Allow', allow);
}

function takesKey(operation: Operation): boolean {
  return (operation.parameters ?? []).some(({ name }) => name === 'Idempotency-Key');
}

function refuseBadEscapes(path: string): void {
  try {
    decodeURIComponent(path);
  } catch (cause) {
    throw new Problem('Bad Request', 'The path has a "%" that is not followed by a valid escape.', { cause });
  }
}

function isRejection(result: unknown): result is { error: unknown } {
  return typeof result === 'object' && result !== null && 'error' in result;
}
