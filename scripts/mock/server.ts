import { createServer, type Server } from 'node:http';
import koaCors from '@koa/cors';
import Koa, { type Context, type Middleware, type Next } from 'koa';
import type { Document } from 'openapi-backend';
import { Problem } from '../../server/src/errors.ts';
import document from '../../server/src/generated/openapi.json' with { type: 'json' };
import { createConnectionErrors } from '../../server/src/http/listener/connection-errors.ts';
import { originForm } from '../../server/src/http/listener/listener.ts';
import { truncateLists } from '../../server/src/contract/drop-unknown.ts';
import { ContractRouter } from '../../server/src/contract/router.ts';
import { isDecodable } from '../../server/src/contract/path-router.ts';
import { FairLimit } from '../../server/src/limits/fair-limit.ts';
import { bearerToken } from '../../server/src/http/request/bearer.ts';
import { createBodyReader } from '../../server/src/http/request/body.ts';
import { requestIdFrom } from '../../server/src/http/request/request-id.ts';
import type { RequestState } from '../../server/src/http/request/request-state.ts';
import { errorHandler } from '../../server/src/http/response/error-handler.ts';
import { createRawProblems } from '../../server/src/http/response/raw-problem.ts';
import { chartValuesMax } from '../../server/src/viz/handlers.ts';
import type { ContractOperation } from '../../server/src/contract/schema.ts';
import type { FindExample } from './prism.ts';

const bufferedBytesMax = 64 * 1024 * 1024;

/** Accepts requests as the server does, and answers them with examples. No request is passed on to another server. */
export function createMockServer(findExample: FindExample): Server {
  const app = new Koa<RequestState>();
  app.use(identify);
  app.use(koaCors({ exposeHeaders: '*' }));
  app.use(errorHandler());
  app.use(answerByExample(findExample));
  const handle = app.callback();
  const onRequest = (...[incoming, outgoing]: Parameters<typeof handle>): void => {
    void handle(incoming, outgoing);
  };
  const { refuse, refuseSocket } = createConnectionErrors(createRawProblems([]), () => undefined);
  const server = createServer(onRequest);
  // The body reader sends 100 Continue once the request is known to be allowed.
  server.on('checkContinue', onRequest);
  server.on('checkExpectation', (request, response) => {
    refuse(request, response, new Problem('Expectation failed'));
  });
  server.on('clientError', refuseSocket);
  server.on('connect', (_request, socket) => {
    socket.on('error', () => socket.destroy());
    refuseSocket(new Error('The mock is not a proxy.'), socket);
  });
  return server;
}

/** Gives the problems of a request an id, as the access log of the server does. */
async function identify(ctx: Context, next: Next): Promise<void> {
  const requestId = requestIdFrom(ctx.get('X-Request-Id'));
  (ctx.state as RequestState).requestId = requestId;
  ctx.set('X-Request-Id', requestId);
  await next();
}

/** Finds the operation, then checks that there is a token, then reads the body: the order of the server. */
function answerByExample(findExample: FindExample): Middleware<RequestState> {
  // The JSON module's type is that of its literal; `generate` has checked that it is an OpenAPI document.
  const router = new ContractRouter(document as unknown as Document);
  const readBody = createBodyReader(new FairLimit(bufferedBytesMax, new Problem('Overloaded')));
  return async (ctx) => {
    const operation = operationOf(router, ctx);
    if (operation === undefined) return;
    if (bearerToken(ctx.get('Authorization')) === undefined) throw new Problem('Unauthorized');
    const body = operation.requestBody && (await readBody(ctx, 'any', chartValuesMax));
    // One entry more than the longest list of the contract has: Prism makes an error for each wrong one.
    truncateLists(body, 10_001);
    const { path, method } = operation;
    const { status, headers, bytes } = await findExample({
      ...{ path, method, search: ctx.querystring, headers: ctx.headers, body },
      accepted: [ctx.accepts()].flat(),
    });
    // Koa would add a type and a text to a response that has none.
    ctx.respond = false;
    ctx.res.writeHead(status, { ...headers, 'Content-Length': bytes.length }).end(bytes);
  };
}

/** The operation of the request; undefined after an answer to OPTIONS. Throws a Problem if the contract has none. */
function operationOf(router: ContractRouter, ctx: Context): ContractOperation | undefined {
  const target = originForm(ctx.url);
  if (target === undefined || !isDecodable(ctx.path)) throw new Problem('Bad Request');
  // An absolute target is a request to a proxy, which the mock is not.
  const allowed = target === ctx.url ? router.allowedMethods(ctx.path) : undefined;
  if (allowed === undefined) throw new Problem('Not found');
  const operation = router.find(ctx.method, ctx.path)?.operation;
  if (operation !== undefined) return operation;
  ctx.set('Allow', allowed);
  if (ctx.method !== 'OPTIONS') throw new Problem('Method not allowed');
  ctx.status = 204;
  return undefined;
}
