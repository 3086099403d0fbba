import type { Context, Middleware } from 'koa';
import type { Request } from 'openapi-backend';
import type { VerifyToken } from '../auth/tokens.ts';
import type { Db } from '../db/tables.ts';
import { overloaded, Problem } from '../errors.ts';
import type { Gates, Principal } from '../operations.ts';
import { limitArrays } from './array-limits.ts';
import { authenticate } from './bearer.ts';
import { createBodyReader, type ReadBody } from './body.ts';
import type { ByteBudget } from './byte-budget.ts';
import type { Contract, Operation, Step } from './contract.ts';
import type { WireReply } from './idempotency.ts';
import { operationSteps, type OperationsParts } from './operate.ts';
import { unescaped } from './path-table.ts';
import { parseQuery, queryParameters } from './query.ts';
import type { Admit } from './rate-limit.ts';
import { write } from './reply.ts';
import type { RequestState } from './state.ts';
import type { Unread } from './unread.ts';
import { validationProblem } from './validation.ts';

interface DispatchParts<Services> extends OperationsParts<Services> {
  readonly contract: Contract;
  readonly gates: Gates<Services>;
  readonly verify: VerifyToken;
  readonly admit: Admit;
  readonly isFull: () => boolean;
  /** The memory of bodies that are being received. */
  readonly receiving: ByteBudget;
  readonly unread: Unread;
}

/**
 * Takes each request to the handler of its operation: the contract finds it, says who must be authenticated and what
 * is valid, and the reply goes on the wire.
 */
export function createDispatch<Services extends { readonly db: Db }>(
  parts: DispatchParts<Services>,
): Middleware<RequestState> {
  const { contract, gates, services, verify, admit, isFull, receiving, unread } = parts;
  const methodNotAllowed: Step = (_context, ctx) => {
    ctx.set('Allow', contract.allowedMethods(ctx.path) ?? '');
    throw new Problem('Method not allowed');
  };
  const handle = contract.serve(
    {
      ...steps,
      ...operationSteps(parts),
      postRoutingHandler: whenRouted(gates, services),
      postSecurityHandler: beforeBody(admit, createBodyReader(receiving)),
      methodNotAllowed,
    },
    (_context, ctx) => authenticate(ctx, verify),
  );

  return async (ctx) => {
    refuseBadEscapes(ctx.path);
    if (ctx.method === 'OPTIONS') {
      tellMethods(ctx, contract.allowedMethods(ctx.path));
      return;
    }
    // Under overload, what a refusal costs is taken from those who are answered.
    if (isFull()) throw overloaded;
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

/** The operation is known, its caller is not: what is refused here has cost next to nothing. */
function whenRouted<Services>(gates: Gates<Services>, services: Services): Step {
  return ({ operation }: { operation?: Operation }, ctx, request) => {
    if (operation === undefined) return;
    ctx.state.operation = operation.operationId;
    gates[operation.operationId]?.(services);
    // Declared as strings, but validated as what they are.
    request.query = parseQuery(ctx.querystring, operation) as Request['query'] & object;
  };
}

/** The body is read last: whoever is not authenticated or asks too often learns nothing of it and costs nothing. */
function beforeBody(admit: Admit, readBody: ReadBody): Step {
  return async ({ operation, request: { params }, security }, ctx, request) => {
    if (!security.authorized) return;
    // The security handler returned a Principal, and path parameters are text.
    const caller = security.bearer as Principal;
    ctx.state.caller = caller;
    ctx.state.limits = await admit(operation.operationId, caller, params as { id?: string });
    if (operation.requestBody === undefined) return;
    request.body = limitArrays(operation, await readBody(ctx, caller.id));
  };
}

function tellMethods(ctx: Context, allow: string | undefined): void {
  if (allow === undefined) throw new Problem('Not found');
  ctx.status = 204;
  ctx.set('Allow', allow);
}

function refuseBadEscapes(path: string): void {
  if (unescaped(path) !== undefined) return;
  throw new Problem('Bad Request', 'The path has a "%" that is not followed by a valid escape.');
}

function isRejection(result: unknown): result is { error: unknown } {
  return typeof result === 'object' && result !== null && 'error' in result;
}
